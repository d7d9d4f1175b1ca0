# Sourced by start, check and build: a virtual environment with this program in it, and the
# system libraries that Qt needs. Installs with apt where it may, and names what is missing where
# it may not. Sets PYTHON to the environment's interpreter.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
environment="${ENGRAM_VENV:-$root/.venv}"

# In a locale without UTF-8, Python cannot start an environment whose path is not ASCII.
if [ "$(locale charmap 2>/dev/null)" != UTF-8 ]; then
  export LANG="${LC_ALL:-${LANG:-C}}" LC_CTYPE=C.UTF-8
  unset LC_ALL
fi

say() { printf '%s\n' "engram: $*" >&2; }

qt_packages=(
  libegl1 libgl1 libglib2.0-0 libgssapi-krb5-2 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1
  libfreetype6 libxcb1 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0
  libxcb-render-util0 libxcb-shape0 libxcb-shm0 libxcb-sync1 libxcb-xfixes0 libxcb-xinerama0
  libxcb-xkb1 libx11-xcb1 fonts-noto-cjk
)

# What freezing the program needs: `strip` and `objdump`, the compressor, and what Qt's Wayland
# platform is linked against and does not bring.
build_packages=(binutils xz-utils libwayland-client0 libwayland-cursor0 libwayland-egl1 libxcb1)

is_installed() { # a package, or what Debian 13 and Ubuntu 24.04 renamed it to
  { dpkg-query -W -f='${db:Status-Status}\n' "$1" "$1t64" 2>/dev/null || true; } |
    grep -qx installed
}

install_packages() {
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local become=() said
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      become=(sudo)
    else
      say "let an administrator run this first: apt-get install ${missing[*]}"
      return 1
    fi
  fi
  say "installing system packages: ${missing[*]}"
  # Lists that are a little old may do: only what cannot be installed is an error.
  if ! said="$({ "${become[@]}" apt-get update -qq || true; "${become[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"; } 2>&1)"; then
    say "apt-get could not install ${missing[*]}; connect to Debian's packages and try again ($(tail -n 1 <<<"$said"))"
    return 1
  fi
}

install_program() { # extras; the installers' own lines are kept in a file: they are many
  local log="$environment/pip.log" pins="$root/packaging/constraints.txt"
  local wanted="$root${1:+[$1]}"
  local pip=("$PYTHON" -m pip install -q --disable-pip-version-check -c "$pins")
  # uv takes 26 seconds where pip takes 130: it copies and compiles on all processors. It knows
  # nothing of what pip was told about indexes and certificates: where it fails, pip does it.
  "${pip[@]}" --retries 1 uv >"$log" 2>&1 &&
    "$environment/bin/uv" pip install -q --python "$PYTHON" --compile-bytecode \
      -c "$pins" -e "$wanted" >>"$log" 2>&1 && return 0
  "${pip[@]}" -e "$wanted" >"$log" 2>&1 && return 0
  say "the Python packages could not be installed; connect to the package index and try again" \
    "($(grep -E '^ *ERROR' "$log" | tail -n 1 | sed 's,^ *,,'); all of it: $log)"
  return 1
}

find_python() {
  local candidate
  for candidate in "${ENGRAM_PYTHON:-}" python3.13 python3.12 python3.11 python3; do
    [ -n "$candidate" ] && command -v "$candidate" >/dev/null &&
      "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null &&
      { command -v "$candidate"; return 0; }
  done
  return 1
}

python_packages() { # what apt must bring before an environment can be made
  local base
  if ! base="$(find_python)"; then
    echo python3 python3-venv
  elif ! "$base" -c 'import ensurepip, venv' 2>/dev/null; then
    "$base" -c 'import sys; print("python{}.{}-venv".format(*sys.version_info))'
  fi
}

python_library() { # Debian's own Python is linked as one file; the frozen one needs the library
  local base
  base="$(find_python || echo /usr/bin/python3)"
  case "$(readlink -f "$base")" in
    /usr/bin/python3.*) printf 'lib%s\n' "$(basename "$(readlink -f "$base")")" ;;
  esac
}

make_environment() { # interpreter
  if [ -n "$(ls -A "$environment" 2>/dev/null)" ] && [ ! -e "$environment/pyvenv.cfg" ]; then
    say "$environment is there and is no virtual environment: it is left alone"
    exit 1
  fi
  say "making the environment in $environment (some minutes the first time)"
  "$1" -m venv --clear "$environment"
}

prepare() { # extras, such as "dev"
  local extras="$1" base stamp sum
  if command -v apt-get >/dev/null; then
    # shellcheck disable=SC2046 # none, one or two words are meant
    install_packages $(python_packages) "${qt_packages[@]}" || [ -z "$(python_packages)" ] || exit 1
  else
    say "not a Debian system: $root/packaging/prepare.sh names the libraries that Qt needs"
  fi
  base="$(find_python)" || { say "Python 3.11 or newer is needed"; exit 1; }
  PYTHON="$environment/bin/python"
  # One line for each set of extras that is installed, as pyproject.toml asks for them now.
  stamp="$environment/engram-stamp"
  sum="$(cat "$root/pyproject.toml" "$root/packaging/constraints.txt" | cksum)"
  if [ ! -x "$PYTHON" ] || ! grep -qsF "$sum" "$stamp"; then
    make_environment "$base"
  fi
  if ! grep -qsxF "$sum [$extras]" "$stamp"; then
    install_program "$extras" || exit 1
    # pip compiles what it copies; the program stays where it is, and a first start would compile it.
    "$PYTHON" -m compileall -q "$root/engram_desktop" || say "no bytecode: each start takes longer"
    printf '%s\n' "$sum []" "$sum [$extras]" >>"$stamp"
  fi
  export PATH="$environment/bin:$PATH"
}
