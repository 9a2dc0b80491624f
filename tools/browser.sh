#!/bin/sh
# The browser that the tests of the page use: Debian's Chromium, and a font for Chinese. Quick where both are there.
set -eu

has_browser() { command -v "${LEXGEAR_CHROMIUM:-chromium}" >/dev/null 2>&1; }
has_font() { command -v fc-list >/dev/null 2>&1 && [ -n "$(fc-list :lang=zh-cn 2>/dev/null | head -n 1)" ]; }

wanted=""
has_browser || wanted="chromium"
has_font || wanted="${wanted:+$wanted }fonts-noto-cjk"
[ -n "$wanted" ] || exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then as_root="sudo"; else as_root="none"; fi
fi
if [ "$as_root" = "none" ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "The tests of the page are skipped: they need $wanted, which only apt-get as root may install." >&2
  echo "Install them (apt-get install $wanted), or name a Chromium in LEXGEAR_CHROMIUM." >&2
  exit 0
fi

echo "Installing $wanted for the tests of the page (once) ..."
log=$(mktemp)
wait="-o DPkg::Lock::Timeout=300"
# shellcheck disable=SC2086 # several words on purpose
if ! { $as_root apt-get $wait -qq update && DEBIAN_FRONTEND=noninteractive $as_root apt-get $wait -y -qq --no-install-recommends install $wanted; } >"$log" 2>&1; then
  tail -n 5 "$log" >&2
  echo "The tests of the page are skipped: apt-get could not install $wanted." >&2
fi
rm -f "$log"
