# Sourced by build-tar and build-deb: the frozen program and what a desktop is told of it.

source "$(dirname "${BASH_SOURCE[0]}")/../prepare.sh"

frozen() { # the frozen program: as it lies there, or built now
  [ -x "$root/dist/engram/engram-desktop" ] || "$root/packaging/build"
  prepare "dev,frozen"
  version="$("$PYTHON" -c 'import engram_desktop; print(engram_desktop.__version__)')"
  # When it was last changed: the same state makes the same package.
  SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}"
  export SOURCE_DATE_EPOCH
  release="$root/dist/release"
  mkdir -p "$release"
}

stage_share() { # folder that becomes …/share
  local share="$1" size id=io.github.engram_desktop.Engram
  mkdir -p "$share"
  cp -r "$root/packaging/linux/share/." "$share"
  sed -e "s/@VERSION@/$version/" -e "s/@DATE@/$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)/" \
    "$share/metainfo/$id.metainfo.xml.in" >"$share/metainfo/$id.metainfo.xml"
  rm "$share/metainfo/$id.metainfo.xml.in"
  install -D -m 644 "$root/resources/icons/logo.svg" \
    "$share/icons/hicolor/scalable/apps/engram-desktop.svg"
  for size in 48 64 128 256 512; do # some desktops draw no SVG
    "$PYTHON" "$root/packaging/app_icons.py" \
      "$share/icons/hicolor/${size}x$size/apps/engram-desktop.png" "$size" >/dev/null
  done
  "$PYTHON" "$root/packaging/linux/man_pages.py" "$share/man/man1"
  gzip -9n "$share"/man/man1/*.1
}

stage_legal() { # folder for the licence, the notices and the changelog
  mkdir -p "$1"
  cp "$root/LICENSE" "$root/resources/THIRD_PARTY.md" "$root/resources/docs/changelog.md" "$1"
}

tidy() { # no bytecode caches, plain rights
  find "$1" -name __pycache__ -type d -prune -exec rm -rf {} +
  chmod -R u+rwX,go+rX,go-w "$1"
  find "$1" -type f -name '*.so*' -exec chmod 644 {} +
}

compressed() { # the smallest that measured: instructions made alike first, and repeats seen 64 MB back
  case "$(uname -m)" in
    x86_64) xz --x86 --lzma2=preset=9e,dict=64MiB ;;
    *) xz -9e ;;
  esac
}
