# Sourced by start, check and build: a virtual environment with this program in it, and the
# system libraries that Qt needs. Installs with apt where it may, and names what is missing where
# it may not. Sets PYTHON to the environment's interpreter.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
environment="${ENGRAM_VENV:-$root/.venv}"

say() { printf '%s\n' "engram: $*" >&2; }

qt_packages=(
  libegl1 libgl1 libglib2.0-0 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1
  libfreetype6 libxcb1 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0
  libxcb-render-util0 libxcb-shape0 libxcb-shm0 libxcb-sync1 libxcb-xfixes0 libxcb-xinerama0
  libxcb-xkb1 libx11-xcb1 fonts-noto-cjk
)

install_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local become=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      become=(sudo)
    else
      say "these system packages are missing: ${missing[*]}"
      say "install them with: sudo apt-get install ${missing[*]}"
      return 1
    fi
  fi
  say "installing system packages: ${missing[*]}"
  "${become[@]}" apt-get update -qq &&
    "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
      --no-install-recommends "${missing[@]}" >/dev/null
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

prepare() { # extras, such as "dev"
  local extras="$1" base stamp wanted
  if command -v apt-get >/dev/null; then
    find_python >/dev/null || install_packages python3 || true
    base="$(find_python)" || { say "Python 3.11 or newer is needed"; exit 1; }
    if [ "$(readlink -f "$base")" = "$(readlink -f /usr/bin/python3)" ]; then
      install_packages python3-venv || exit 1
    fi
    install_packages "${qt_packages[@]}" || say "going on without them; a window may not open"
  else
    base="$(find_python)" || { say "Python 3.11 or newer is needed"; exit 1; }
    say "not a Debian system: see README.md for the libraries Qt needs"
  fi
  PYTHON="$environment/bin/python"
  stamp="$environment/engram-stamp"
  wanted="$(cat "$root/pyproject.toml" "$root/packaging/constraints.txt" | cksum) [$extras]"
  if [ ! -x "$PYTHON" ] || [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    say "making the environment in $environment (some minutes the first time)"
    "$base" -m venv --clear "$environment"
    "$PYTHON" -m pip install -q --disable-pip-version-check \
      -c "$root/packaging/constraints.txt" -e "$root${extras:+[$extras]}"
    printf '%s' "$wanted" >"$stamp"
  fi
  export PATH="$environment/bin:$PATH"
}
