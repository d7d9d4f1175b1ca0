#!/bin/bash
# Makes “engram” work in Terminal: a link in /usr/local/bin, which may ask for your password.
# 让“终端”里可以使用 engram：在 /usr/local/bin 里放一个链接，可能要求输入密码。
set -eu
program="/Applications/Engram Desktop.app/Contents/MacOS/engram"
link="/usr/local/bin/engram"
if [ ! -x "$program" ]; then
  echo 'Drag Engram Desktop into Applications first. 请先把 Engram Desktop 拖进“应用程序”。'
  exit 1
fi
if [ -e "$link" ] && [ ! -L "$link" ]; then
  echo "$link is there and is not a link of ours: it is left alone. 已有同名文件，未做改动。"
  exit 1
fi
if [ -w "$(dirname "$link")" ]; then
  ln -sfn "$program" "$link"
else
  sudo mkdir -p "$(dirname "$link")"
  sudo ln -sfn "$program" "$link"
fi
"$link" --version
echo "engram is ready. engram 已可使用。"
