/* A stand-in for our two programs, where the real ones cannot be made: says its version, or waits.
 *
 * x86_64-w64-mingw32-gcc -DVERSION='"0.1.0"' -o engram.exe stand_in.c
 * x86_64-w64-mingw32-gcc -DVERSION='"0.1.0"' -mwindows -o engram-desktop.exe stand_in.c
 */
#include <stdio.h>
#include <string.h>
#include <windows.h>

int main(int count, char **words) {
  if (count > 3 && strcmp(words[1], "--wait") == 0) { /* make the one file, wait for the other */
    CloseHandle(CreateFileA(words[2], GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL));
    while (GetFileAttributesA(words[3]) == INVALID_FILE_ATTRIBUTES) Sleep(50);
    return 0;
  }
  printf("%s\n", VERSION);
  return 0;
}
