; The installer of Engram Desktop for Windows: for one user, without an administrator.
;
; `make_setup.py` calls makensis and gives it VERSION, FOUR_NUMBERS, SOURCE, LIST, ICON, SIDE, SIZE_KB,
; OUTPUT; TARGET too, where the installer is tried under a Wine that knows 64 bits only.
;
; What it must never do: touch the library, read the path of the user as a text of NSIS (which ends
; at 1024 characters), or delete a file that it did not put there. What it put there is written
; down in installed.txt, a path a line, folders last and with a backslash at their end.

Unicode true
!ifdef TARGET
  Target ${TARGET}
!endif
!define NAME "Engram Desktop"
!define PUBLISHER "Engram Desktop contributors"
!define KEY "Software\Engram Desktop"
!define REMOVAL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Engram Desktop"
!define KIND "EngramDesktop.Backup"
!define CLASSES "Software\Classes"
!define WINDOW "engram-desktop.exe"
!define CONSOLE "engram.exe"

!include MUI2.nsh
!include LogicLib.nsh
!include FileFunc.nsh
!include WordFunc.nsh
!include WinVer.nsh
!include x64.nsh
!include Sections.nsh

Name "${NAME}"
BrandingText "${NAME} ${VERSION}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "${KEY}" "Folder"
RequestExecutionLevel user
SetCompressor /SOLID lzma
SetCompressorDictSize 64
ManifestDPIAware true
ManifestLongPathAware true
ManifestSupportedOS Win10
ShowInstDetails nevershow
ShowUninstDetails nevershow

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${SIDE}"
!define MUI_ABORTWARNING
!define MUI_WELCOMEPAGE_TEXT "$(WelcomeText)"
!define MUI_COMPONENTSPAGE_SMALLDESC
!define MUI_FINISHPAGE_RUN "$INSTDIR\${WINDOW}"
!define MUI_FINISHPAGE_TEXT "$(FinishText)"
!define MUI_UNCONFIRMPAGE_TEXT_TOP "$(RemoveText)"
!define MUI_FINISHPAGE_TEXT_LARGE

!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES

; The first is shown where the system speaks neither; any Chinese is given Chinese in .onInit.
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

!macro Text name english chinese
  LangString ${name} ${LANG_ENGLISH} "${english}"
  LangString ${name} ${LANG_SIMPCHINESE} "${chinese}"
!macroend
!insertmacro Text WelcomeText \
  "Engram Desktop keeps the memory of your role-play chats: you can see it, correct it and have it recalled.$\r$\n$\r$\nIt is installed for you alone and needs no administrator. An older version is replaced; your library, settings and keys stay as they are." \
  "Engram Desktop 为你的角色扮演聊天保存记忆：看得见、改得了、用得上。$\r$\n$\r$\n只为当前用户安装，不需要管理员权限。已有的旧版本会被替换；你的记忆库、设置和密钥都保持原样。"
!insertmacro Text FinishText \
  "${NAME} ${VERSION} is installed.$\r$\n$\r$\nYour library lies in:$\r$\n$Library" \
  "${NAME} ${VERSION} 已经装好。$\r$\n$\r$\n你的记忆库在：$\r$\n$Library"
!insertmacro Text RemoveText \
  "The program is removed. Your library with all chats, memories and backups is kept; it lies in $Library" \
  "将删除程序本身。你的记忆库（所有聊天、记忆和备份）会保留，位置是 $Library"
!insertmacro Text ProgramTitle "The program" "程序"
!insertmacro Text ProgramText "The window and the command line, with an entry in the Start menu." "窗口程序和命令行程序，以及开始菜单中的快捷方式。"
!insertmacro Text DesktopTitle "Shortcut on the desktop" "桌面快捷方式"
!insertmacro Text DesktopText "Puts a shortcut to the window on your desktop." "在桌面上放一个快捷方式。"
!insertmacro Text OpensTitle "Open backups (.engram)" "打开备份文件（.engram）"
!insertmacro Text OpensText "A double click on a backup offers to restore it; nothing is replaced before you agree." "双击备份文件时询问是否恢复；在你同意之前不会替换任何东西。"
!insertmacro Text PathTitle "“engram” in a terminal" "在终端中使用 engram"
!insertmacro Text PathText "Adds the program's folder to your own path. Terminals that are open do not see it yet." "把程序所在文件夹加入你的 PATH。已经打开的终端要重新打开才能看到。"
!insertmacro Text Running \
  "${NAME} is still running in this folder:$\r$\n$INSTDIR$\r$\n$\r$\nClose its window, and any terminal in which “engram” works, then choose Retry." \
  "${NAME} 仍在运行：$\r$\n$INSTDIR$\r$\n$\r$\n请关闭它的窗口，以及正在运行 engram 的终端，然后选择“重试”。"
!insertmacro Text Newer \
  "Version $0 is installed, which is newer than ${VERSION}. A library that the newer version has opened cannot be opened by this one. Install it all the same?" \
  "已安装的版本是 $0，比 ${VERSION} 新。新版本打开过的记忆库，这个版本打不开。仍要安装吗？"
!insertmacro Text TooOld \
  "${NAME} needs Windows 10 or later, 64 bits." \
  "${NAME} 需要 64 位的 Windows 10 或更新的系统。"
!insertmacro Text Removed \
  "${NAME} was removed. Your library is still in:$\r$\n$Library" \
  "${NAME} 已删除。你的记忆库仍在：$\r$\n$Library"

VIProductVersion "${FOUR_NUMBERS}"
VIFileVersion "${FOUR_NUMBERS}"
!macro Resource language description
  VIAddVersionKey /LANG=${language} "ProductName" "${NAME}"
  VIAddVersionKey /LANG=${language} "CompanyName" "${PUBLISHER}"
  VIAddVersionKey /LANG=${language} "LegalCopyright" "${PUBLISHER}; MIT licence"
  VIAddVersionKey /LANG=${language} "FileDescription" "${description}"
  VIAddVersionKey /LANG=${language} "FileVersion" "${VERSION}"
  VIAddVersionKey /LANG=${language} "ProductVersion" "${VERSION}"
!macroend
!insertmacro Resource ${LANG_ENGLISH} "${NAME} setup"
!insertmacro Resource ${LANG_SIMPCHINESE} "${NAME} 安装程序"

Var Library ; where the library of this user lies

; --- for both the installer and the remover ---------------------------------------------------

!macro Shared un
Function ${un}Begin
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/LANG=" $R1 ; for pictures and trials
  ${IfNot} ${Errors}
    StrCpy $LANGUAGE $R1
  ${Else}
    IntOp $R1 $LANGUAGE & 0x3FF
    ${If} $R1 = 4 ; any Chinese
      StrCpy $LANGUAGE ${LANG_SIMPCHINESE}
    ${EndIf}
  ${EndIf}
  SetShellVarContext current
  ReadEnvStr $Library ENGRAM_LIBRARY
  ${If} $Library == ""
    StrCpy $Library "$LOCALAPPDATA\Engram\library"
  ${EndIf}
FunctionEnd

; A program that runs cannot be written to. That finds its workers too, which are the same file.
; Pushes 1 while `$INSTDIR\<the name on the stack>` runs.
Function ${un}IsRunning
  Exch $0
  Push $1
  ${If} ${FileExists} "$INSTDIR\$0"
    ClearErrors
    FileOpen $1 "$INSTDIR\$0" a
    ${If} ${Errors}
      StrCpy $0 1
    ${Else}
      FileClose $1
      StrCpy $0 0
    ${EndIf}
  ${Else}
    StrCpy $0 0
  ${EndIf}
  Pop $1
  Exch $0
FunctionEnd

; Goes on once nothing runs. Silently it gives up with 3, before anything was changed. Nobody is
; asked for the first two seconds: a program that was just closed, or a scanner, is done by then.
Function ${un}WaitUntilClosed
  StrCpy $R2 0
  ${Do}
    Push "${WINDOW}"
    Call ${un}IsRunning
    Pop $R0
    Push "${CONSOLE}"
    Call ${un}IsRunning
    Pop $R1
    ${If} $R0 = 0
    ${AndIf} $R1 = 0
      ${ExitDo}
    ${EndIf}
    ${If} $R2 < 10
      IntOp $R2 $R2 + 1
      Sleep 200
      ${Continue}
    ${EndIf}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(Running)" /SD IDCANCEL IDRETRY +3
    SetErrorLevel 3
    Quit
  ${Loop}
FunctionEnd

; Deletes what an installation wrote down, and folders that are empty then.
Function ${un}DeleteRecorded
  ClearErrors
  FileOpen $R0 "$INSTDIR\installed.txt" r
  ${If} ${Errors}
    Return
  ${EndIf}
  ${Do}
    ClearErrors
    FileReadUTF16LE $R0 $R1
    ${If} ${Errors}
      ${ExitDo}
    ${EndIf}
    StrCpy $R1 $R1 -2 ; without the end of the line
    StrCpy $R2 $R1 1
    System::Call 'shlwapi::StrStrW(w R1, w "..") p .R3'
    ${If} $R1 != ""
    ${AndIf} $R2 != "\"
    ${AndIf} $R3 P= 0 ; a path that leaves the folder was not written by us
      StrCpy $R2 $R1 1 -1
      ${If} $R2 == "\"
        RMDir "$INSTDIR\$R1"
      ${Else}
        Delete "$INSTDIR\$R1"
      ${EndIf}
    ${EndIf}
  ${Loop}
  FileClose $R0
  Delete "$INSTDIR\installed.txt"
FunctionEnd
!macroend
!insertmacro Shared ""
!insertmacro Shared "un."

; --- the path of the user ---------------------------------------------------------------------
; Only pointers to it are held here: a text of NSIS would cut it off. It keeps its kind, which may
; be one with %variables%. Appended with a semicolon before it and taken out with that again, so
; that what was there before is there afterwards, to the letter.

!define PATH_KEY "Environment"
!define PATH_NAME "Path"
!define REG_SZ 1
!define REG_EXPAND_SZ 2
!define KEY_READ_WRITE 0x2001B ; KEY_READ | KEY_SET_VALUE
!define BUFFER_BYTES 131072    ; twice the 32,767 characters that Windows takes for one variable
!define MAX_CHARS 32760

!macro PathFunctions un
; Leaves in $R0 the key, in $R1 the buffer, in $R2 the kind; 0 in $R1 where it cannot be read.
Function ${un}ReadPath
  StrCpy $R1 0
  StrCpy $R2 ${REG_EXPAND_SZ}
  System::Call 'advapi32::RegOpenKeyExW(p 0x80000001, w "${PATH_KEY}", i 0, i ${KEY_READ_WRITE}, *p .R0) i .R3'
  ${If} $R3 <> 0
    Return
  ${EndIf}
  System::Alloc ${BUFFER_BYTES}
  Pop $R1
  StrCpy $R4 65536
  System::Call 'advapi32::RegQueryValueExW(p R0, w "${PATH_NAME}", p 0, *i .R5, p R1, *i R4R4) i .R3'
  ${If} $R3 = 0
    StrCpy $R2 $R5
    ${If} $R2 <> ${REG_SZ}
    ${AndIf} $R2 <> ${REG_EXPAND_SZ} ; something that is no path: it is left alone
      Call ${un}ForgetPath
      StrCpy $R1 0
    ${EndIf}
  ${ElseIf} $R3 <> 2 ; 2 is: there is none yet
    Call ${un}ForgetPath
    StrCpy $R1 0
  ${EndIf}
FunctionEnd

Function ${un}ForgetPath
  System::Free $R1
  System::Call 'advapi32::RegCloseKey(p R0)'
FunctionEnd

; Writes the buffer back, or takes the value away where nothing is left; tells other programs.
Function ${un}WritePath
  System::Call 'kernel32::lstrlenW(p R1) i .R3'
  ${If} $R3 = 0
    System::Call 'advapi32::RegDeleteValueW(p R0, w "${PATH_NAME}")'
  ${Else}
    IntOp $R3 $R3 + 1
    IntOp $R3 $R3 * 2
    System::Call 'advapi32::RegSetValueExW(p R0, w "${PATH_NAME}", i 0, i R2, p R1, i R3)'
  ${EndIf}
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
FunctionEnd

; $R5: where in the buffer our folder, in $9, stands as a part of its own, or 0. $R6: its length.
Function ${un}FindOnPath
  StrCpy $9 $INSTDIR ; for System: what it calls by this name itself can end with a backslash
  StrLen $R6 $9
  StrCpy $R4 $R1
  ${Do}
    System::Call 'shlwapi::StrStrIW(p R4, w r9) p .R5'
    ${If} $R5 P= 0
      ${ExitDo}
    ${EndIf}
    StrCpy $R7 ";"
    ${If} $R5 P<> $R1
      IntPtrOp $R8 $R5 - 2
      System::Call '*$R8(&w1 .R7)'
    ${EndIf}
    IntOp $R8 $R6 * 2
    IntPtrOp $R8 $R5 + $R8
    System::Call '*$R8(&w1 .R9)'
    ${If} $R7 == ";"
      ${If} $R9 == ";"
      ${OrIf} $R9 == ""
        ${ExitDo}
      ${EndIf}
    ${EndIf}
    IntPtrOp $R4 $R5 + 2
  ${Loop}
FunctionEnd
!macroend
!insertmacro PathFunctions ""
!insertmacro PathFunctions "un."

Function AddToPath
  Call ReadPath
  ${If} $R1 P= 0
    Return
  ${EndIf}
  Call FindOnPath
  System::Call 'kernel32::lstrlenW(p R1) i .R3'
  IntOp $R4 $R3 + $R6
  ${If} $R5 P= 0
  ${AndIf} $R4 < ${MAX_CHARS}
    ${If} $R3 > 0
      System::Call 'kernel32::lstrcatW(p R1, w ";")'
    ${EndIf}
    System::Call 'kernel32::lstrcatW(p R1, w r9)'
    Call WritePath
  ${EndIf}
  Call ForgetPath
FunctionEnd

!macro RemoveFromPath un
Function ${un}RemoveFromPath
  Call ${un}ReadPath
  ${If} $R1 P= 0
    Return
  ${EndIf}
  Call ${un}FindOnPath
  ${If} $R5 P<> 0
    IntOp $R8 $R6 * 2
    IntPtrOp $R8 $R5 + $R8 ; behind it
    ${If} $R5 P<> $R1
      IntPtrOp $R5 $R5 - 2 ; with the semicolon before it
    ${ElseIf} $R9 == ";"
      IntPtrOp $R8 $R8 + 2 ; or, where it is the first, with the one behind it
    ${EndIf}
    System::Call 'kernel32::lstrlenW(p R8) i .R3'
    IntOp $R3 $R3 + 1
    IntOp $R3 $R3 * 2
    System::Call 'ntdll::RtlMoveMemory(p R5, p R8, p R3)'
    Call ${un}WritePath
  ${EndIf}
  Call ${un}ForgetPath
FunctionEnd
!macroend
!insertmacro RemoveFromPath ""
!insertmacro RemoveFromPath "un."

; --- installing -------------------------------------------------------------------------------

Section "$(ProgramTitle)" SecProgram
  SectionIn RO
  Call WaitUntilClosed
  Call DeleteRecorded
  SetOutPath "$INSTDIR"
  File /r "${SOURCE}"
  File "/oname=installed.txt" "${LIST}"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\${WINDOW}"
  WriteRegStr HKCU "${KEY}" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "Version" "${VERSION}"
  WriteRegStr HKCU "${REMOVAL}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${REMOVAL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${REMOVAL}" "DisplayIcon" "$INSTDIR\${WINDOW}"
  WriteRegStr HKCU "${REMOVAL}" "Publisher" "${PUBLISHER}"
  WriteRegStr HKCU "${REMOVAL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${REMOVAL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${REMOVAL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${REMOVAL}" "EstimatedSize" ${SIZE_KB}
  WriteRegDWORD HKCU "${REMOVAL}" "NoModify" 1
  WriteRegDWORD HKCU "${REMOVAL}" "NoRepair" 1
SectionEnd

Section /o "$(DesktopTitle)" SecDesktop
SectionEnd

Section "$(OpensTitle)" SecOpens
SectionEnd

Section "$(PathTitle)" SecPath
SectionEnd

; What was ticked is done, and what was unticked since the last time is undone.
Section "-choices"
  ${If} ${SectionIsSelected} ${SecDesktop}
    CreateShortcut "$DESKTOP\${NAME}.lnk" "$INSTDIR\${WINDOW}"
    WriteRegDWORD HKCU "${KEY}" "Desktop" 1
  ${Else}
    Delete "$DESKTOP\${NAME}.lnk"
    WriteRegDWORD HKCU "${KEY}" "Desktop" 0
  ${EndIf}
  ${If} ${SectionIsSelected} ${SecOpens}
    WriteRegStr HKCU "${CLASSES}\${KIND}" "" "Engram Desktop backup"
    WriteRegStr HKCU "${CLASSES}\${KIND}\DefaultIcon" "" "$INSTDIR\${WINDOW},0"
    WriteRegStr HKCU "${CLASSES}\${KIND}\shell\open\command" "" '"$INSTDIR\${WINDOW}" "%1"'
    WriteRegStr HKCU "${CLASSES}\.engram" "" "${KIND}"
    WriteRegStr HKCU "${CLASSES}\.engram\OpenWithProgids" "${KIND}" ""
    WriteRegDWORD HKCU "${KEY}" "Opens" 1
  ${Else}
    Call ForgetKind
    WriteRegDWORD HKCU "${KEY}" "Opens" 0
  ${EndIf}
  ${If} ${SectionIsSelected} ${SecPath}
    Call AddToPath
    WriteRegDWORD HKCU "${KEY}" "Path" 1
  ${Else}
    Call RemoveFromPath
    WriteRegDWORD HKCU "${KEY}" "Path" 0
  ${EndIf}
  Call TellExplorer
SectionEnd

!macro Kind un
; Takes back what opens backups; another program that opens them now stays.
Function ${un}ForgetKind
  DeleteRegKey HKCU "${CLASSES}\${KIND}"
  DeleteRegValue HKCU "${CLASSES}\.engram\OpenWithProgids" "${KIND}"
  ReadRegStr $R0 HKCU "${CLASSES}\.engram" ""
  ${If} $R0 == "${KIND}"
    DeleteRegValue HKCU "${CLASSES}\.engram" ""
  ${EndIf}
  DeleteRegKey /ifempty HKCU "${CLASSES}\.engram\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.engram"
FunctionEnd

Function ${un}TellExplorer
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)' ; SHCNE_ASSOCCHANGED
FunctionEnd
!macroend
!insertmacro Kind ""
!insertmacro Kind "un."

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${SecProgram} "$(ProgramText)"
  !insertmacro MUI_DESCRIPTION_TEXT ${SecDesktop} "$(DesktopText)"
  !insertmacro MUI_DESCRIPTION_TEXT ${SecOpens} "$(OpensText)"
  !insertmacro MUI_DESCRIPTION_TEXT ${SecPath} "$(PathText)"
!insertmacro MUI_FUNCTION_DESCRIPTION_END

; What was chosen the last time stands again.
!macro Remembered value section
  ClearErrors
  ReadRegDWORD $R0 HKCU "${KEY}" "${value}"
  ${IfNot} ${Errors}
    ${If} $R0 = 1
      !insertmacro SelectSection ${section}
    ${Else}
      !insertmacro UnselectSection ${section}
    ${EndIf}
  ${EndIf}
!macroend

Function .onInit
  Call Begin
  ${IfNot} ${AtLeastWin10}
  ${OrIfNot} ${RunningX64}
    MessageBox MB_OK|MB_ICONSTOP "$(TooOld)" /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
  ReadRegStr $0 HKCU "${KEY}" "Version"
  ${If} $0 != ""
    ${VersionCompare} "$0" "${VERSION}" $R0
    ${If} $R0 = 1
      MessageBox MB_YESNO|MB_ICONQUESTION "$(Newer)" /SD IDYES IDYES +2
      Quit
    ${EndIf}
  ${EndIf}
  !insertmacro Remembered "Desktop" ${SecDesktop}
  !insertmacro Remembered "Opens" ${SecOpens}
  !insertmacro Remembered "Path" ${SecPath}
FunctionEnd

; --- removing ---------------------------------------------------------------------------------

Function un.onInit
  Call un.Begin
FunctionEnd

Section "Uninstall"
  Call un.WaitUntilClosed
  Call un.RemoveFromPath
  Call un.ForgetKind
  Delete "$SMPROGRAMS\${NAME}.lnk"
  Delete "$DESKTOP\${NAME}.lnk"
  Call un.DeleteRecorded
  Delete "$LOCALAPPDATA\Engram\Cache\encoder.bin" ; the built-in model, unpacked
  RMDir "$LOCALAPPDATA\Engram\Cache"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR" ; stays where the user keeps something in it
  DeleteRegKey HKCU "${REMOVAL}"
  DeleteRegKey HKCU "${KEY}"
  Call un.TellExplorer
SectionEnd

Function un.onUninstSuccess
  MessageBox MB_OK|MB_ICONINFORMATION "$(Removed)" /SD IDOK
FunctionEnd
