<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>AdoptDialog</name>
    <message numerus="yes">
        <source>%n new</source>
        <translation>
            <numerusform>%n new</numerusform>
            <numerusform>%n new</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n known already</source>
        <translation>
            <numerusform>%n known already</numerusform>
            <numerusform>%n known already</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take over %n memory(s)</source>
        <translation>
            <numerusform>Take over %n memory</numerusform>
            <numerusform>Take over %n memories</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Adoption</name>
    <message numerus="yes">
        <source>%n memory(s) taken over</source>
        <translation>
            <numerusform>%n memory taken over</numerusform>
            <numerusform>%n memories taken over</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outdated one(s) replaced</source>
        <translation>
            <numerusform>%n outdated one replaced</numerusform>
            <numerusform>%n outdated ones replaced</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n known already</source>
        <translation>
            <numerusform>%n known already</numerusform>
            <numerusform>%n known already</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Arranging</name>
    <message numerus="yes">
        <source>Sorting %n entry(ies)</source>
        <translation>
            <numerusform>Sorting %n entry</numerusform>
            <numerusform>Sorting %n entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moving %n entry(ies)</source>
        <translation>
            <numerusform>Moving %n entry</numerusform>
            <numerusform>Moving %n entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Changing %n entry(ies)</source>
        <translation>
            <numerusform>Changing %n entry</numerusform>
            <numerusform>Changing %n entries</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Automation</name>
    <message numerus="yes">
        <source>Automatic: %n block(s) due</source>
        <translation>
            <numerusform>Automatic: %n block due</numerusform>
            <numerusform>Automatic: %n blocks due</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Automatic: on · next summary in %n floor(s)</source>
        <translation>
            <numerusform>Automatic: on · next summary in %n floor</numerusform>
            <numerusform>Automatic: on · next summary in %n floors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“{chat}”: %n floor(s) have not been summarised.</source>
        <translation>
            <numerusform>“{chat}”: %n floor has not been summarised.</numerusform>
            <numerusform>“{chat}”: %n floors have not been summarised.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“{chat}”: %n floor(s) have not been looked back on.</source>
        <translation>
            <numerusform>“{chat}”: %n floor has not been looked back on.</numerusform>
            <numerusform>“{chat}”: %n floors have not been looked back on.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) could not be read.</source>
        <translation>
            <numerusform>%n block could not be read.</numerusform>
            <numerusform>%n blocks could not be read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) are ready for your review.</source>
        <translation>
            <numerusform>%n block is ready for your review.</numerusform>
            <numerusform>%n blocks are ready for your review.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) made</source>
        <translation>
            <numerusform>%n event made</numerusform>
            <numerusform>%n events made</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) archived</source>
        <translation>
            <numerusform>%n event archived</numerusform>
            <numerusform>%n events archived</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outline(s) made</source>
        <translation>
            <numerusform>%n outline made</numerusform>
            <numerusform>%n outlines made</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n private log(s) written</source>
        <translation>
            <numerusform>%n private log written</numerusform>
            <numerusform>%n private logs written</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BinDialog</name>
    <message numerus="yes">
        <source>%n deleted event(s)</source>
        <translation>
            <numerusform>%n deleted event</numerusform>
            <numerusform>%n deleted events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BudgetMeter</name>
    <message numerus="yes">
        <source>%n entry(ies) fall out of the budget: {titles}</source>
        <translation>
            <numerusform>%n entry falls out of the budget: {titles}</numerusform>
            <numerusform>%n entries fall out of the budget: {titles}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CardColumn</name>
    <message numerus="yes">
        <source>Show %n more</source>
        <translation>
            <numerusform>Show %n more</numerusform>
            <numerusform>Show %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CharacterTree</name>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n entry</numerusform>
            <numerusform>%n entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s)</source>
        <translation>
            <numerusform>%n regex script</numerusform>
            <numerusform>%n regex scripts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CharactersDialog</name>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n entry</numerusform>
            <numerusform>%n entries</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatExport</name>
    <message numerus="yes">
        <source>%n event(s) exported</source>
        <translation>
            <numerusform>%n event exported</numerusform>
            <numerusform>%n events exported</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>World book of %n entry(ies) written</source>
        <translation>
            <numerusform>World book of %n entry written</numerusform>
            <numerusform>World book of %n entries written</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatTree</name>
    <message numerus="yes">
        <source>%n floor(s)</source>
        <translation>
            <numerusform>%n floor</numerusform>
            <numerusform>%n floors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConsolidateDialog</name>
    <message numerus="yes">
        <source>%n event(s) will be embedded, linked into the graph and archived.</source>
        <translation>
            <numerusform>%n event will be embedded, linked into the graph and archived.</numerusform>
            <numerusform>%n events will be embedded, linked into the graph and archived.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n locked event(s) stay in the buffer.</source>
        <translation>
            <numerusform>%n locked event stays in the buffer.</numerusform>
            <numerusform>%n locked events stay in the buffer.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DayPage</name>
    <message numerus="yes">
        <source>{day} · %n event(s)</source>
        <translation>
            <numerusform>{day} · %n event</numerusform>
            <numerusform>{day} · %n events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DuplicatesDialog</name>
    <message numerus="yes">
        <source>%n group(s); the surest are shown.</source>
        <translation>
            <numerusform>%n group; the surest are shown.</numerusform>
            <numerusform>%n groups; the surest are shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s)</source>
        <translation>
            <numerusform>%n group</numerusform>
            <numerusform>%n groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n event</numerusform>
            <numerusform>%n events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EditorPanel</name>
    <message numerus="yes">
        <source>%n token(s) in a prompt</source>
        <translation>
            <numerusform>%n token in a prompt</numerusform>
            <numerusform>%n tokens in a prompt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EndpointFields</name>
    <message numerus="yes">
        <source>Vectors have %n dimension(s).</source>
        <translation>
            <numerusform>Vectors have %n dimension.</numerusform>
            <numerusform>Vectors have %n dimensions.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EndpointForm</name>
    <message numerus="yes">
        <source>%n model(s) offered</source>
        <translation>
            <numerusform>%n model offered</numerusform>
            <numerusform>%n models offered</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntityFields</name>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n event</numerusform>
            <numerusform>%n events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventBinList</name>
    <message numerus="yes">
        <source>Bringing %n event(s) back</source>
        <translation>
            <numerusform>Bringing %n event back</numerusform>
            <numerusform>Bringing %n events back</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventDuplicates</name>
    <message numerus="yes">
        <source>Deleting %n duplicate(s)</source>
        <translation>
            <numerusform>Deleting %n duplicate</numerusform>
            <numerusform>Deleting %n duplicates</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Joining %n event(s)</source>
        <translation>
            <numerusform>Joining %n event</numerusform>
            <numerusform>Joining %n events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventList</name>
    <message numerus="yes">
        <source>Archiving %n event(s)</source>
        <translation>
            <numerusform>Archiving %n event</numerusform>
            <numerusform>Archiving %n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moving %n event(s) back to the buffer</source>
        <translation>
            <numerusform>Moving %n event back to the buffer</numerusform>
            <numerusform>Moving %n events back to the buffer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Locking %n event(s)</source>
        <translation>
            <numerusform>Locking %n event</numerusform>
            <numerusform>Locking %n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Unlocking %n event(s)</source>
        <translation>
            <numerusform>Unlocking %n event</numerusform>
            <numerusform>Unlocking %n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Confirming %n event(s)</source>
        <translation>
            <numerusform>Confirming %n event</numerusform>
            <numerusform>Confirming %n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Deleting %n event(s)</source>
        <translation>
            <numerusform>Deleting %n event</numerusform>
            <numerusform>Deleting %n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) deleted</source>
        <translation>
            <numerusform>%n event deleted</numerusform>
            <numerusform>%n events deleted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Joining %n event(s)</source>
        <translation>
            <numerusform>Joining %n event</numerusform>
            <numerusform>Joining %n events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventMany</name>
    <message numerus="yes">
        <source>Editing %n event(s)</source>
        <translation>
            <numerusform>Editing %n event</numerusform>
            <numerusform>Editing %n events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventReplace</name>
    <message numerus="yes">
        <source>Replacing in %n place(s)</source>
        <translation>
            <numerusform>Replacing in %n place</numerusform>
            <numerusform>Replacing in %n places</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EvidenceSection</name>
    <message numerus="yes">
        <source>Evidence · %n event(s)</source>
        <translation>
            <numerusform>Evidence · %n event</numerusform>
            <numerusform>Evidence · %n events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExchangePanel</name>
    <message numerus="yes">
        <source>Memory put in: %n token(s)</source>
        <translation>
            <numerusform>Memory put in: %n token</numerusform>
            <numerusform>Memory put in: %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) saved</source>
        <translation>
            <numerusform>%n token saved</numerusform>
            <numerusform>%n tokens saved</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExplainView</name>
    <message numerus="yes">
        <source>%n memory(s) were weighed to the end</source>
        <translation>
            <numerusform>%n memory was weighed to the end</numerusform>
            <numerusform>%n memories were weighed to the end</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileCard</name>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hidden</source>
        <translation>
            <numerusform>%n hidden</numerusform>
            <numerusform>%n hidden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other swipe(s), not used</source>
        <translation>
            <numerusform>%n other swipe, not used</numerusform>
            <numerusform>%n other swipes, not used</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n script(s)</source>
        <translation>
            <numerusform>%n script</numerusform>
            <numerusform>%n scripts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n world book entry(ies)</source>
        <translation>
            <numerusform>%n world book entry</numerusform>
            <numerusform>%n world book entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) cannot be read; the rest is imported:</source>
        <translation>
            <numerusform>%n line cannot be read; the rest is imported:</numerusform>
            <numerusform>%n lines cannot be read; the rest is imported:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Continue “{name}”: %n new message(s)</source>
        <translation>
            <numerusform>Continue “{name}”: %n new message</numerusform>
            <numerusform>Continue “{name}”: %n new messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Import %n chat(s), each on its own</source>
        <translation>
            <numerusform>Import %n chat, on its own</numerusform>
            <numerusform>Import %n chats, each on its own</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FolderDialog</name>
    <message numerus="yes">
        <source>%n file(s) in step</source>
        <translation>
            <numerusform>%n file in step</numerusform>
            <numerusform>%n files in step</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FootBar</name>
    <message numerus="yes">
        <source>Next prompt: %n of these, {tokens} tokens</source>
        <translation>
            <numerusform>Next prompt: %n of these, {tokens} tokens</numerusform>
            <numerusform>Next prompt: %n of these, {tokens} tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) to review</source>
        <translation>
            <numerusform>%n block to review</numerusform>
            <numerusform>%n blocks to review</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) failed</source>
        <translation>
            <numerusform>%n block failed</numerusform>
            <numerusform>%n blocks failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s)</source>
        <translation>
            <numerusform>%n memory</numerusform>
            <numerusform>%n memories</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FoundList</name>
    <message numerus="yes">
        <source>%n setting(s)</source>
        <translation>
            <numerusform>%n setting</numerusform>
            <numerusform>%n settings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GapSection</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GraphPage</name>
    <message numerus="yes">
        <source>%n entity(ies) filtered out.</source>
        <translation>
            <numerusform>%n entity filtered out.</numerusform>
            <numerusform>%n entities filtered out.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthDialog</name>
    <message numerus="yes">
        <source>%n finding(s) need attention.</source>
        <translation>
            <numerusform>%n finding needs attention.</numerusform>
            <numerusform>%n findings need attention.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) cannot be repaired. The newest backup that holds a damaged chat can give it back; everything else stays as it is now. The window opens again by itself.</source>
        <translation>
            <numerusform>%n finding cannot be repaired. The newest backup that holds a damaged chat can give it back; everything else stays as it is now. The window opens again by itself.</numerusform>
            <numerusform>%n findings cannot be repaired. The newest backup that holds a damaged chat can give it back; everything else stays as it is now. The window opens again by itself.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HelpDialog</name>
    <message numerus="yes">
        <source>%n place(s)</source>
        <translation>
            <numerusform>%n place</numerusform>
            <numerusform>%n places</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message numerus="yes">
        <source>Import %n file(s)</source>
        <translation>
            <numerusform>Import %n file</numerusform>
            <numerusform>Import %n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportPlan</name>
    <message numerus="yes">
        <source>%n message(s) added</source>
        <translation>
            <numerusform>%n message added</numerusform>
            <numerusform>%n messages added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{added}; %n line(s) could not be read</source>
        <translation>
            <numerusform>{added}; %n line could not be read</numerusform>
            <numerusform>{added}; %n lines could not be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s) added</source>
        <translation>
            <numerusform>%n regex script added</numerusform>
            <numerusform>%n regex scripts added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“{name}” is in the library: %n world book entry(ies) added</source>
        <translation>
            <numerusform>“{name}” is in the library: %n world book entry added</numerusform>
            <numerusform>“{name}” is in the library: %n world book entries added</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InboxPage</name>
    <message numerus="yes">
        <source>%n more follow as these are decided.</source>
        <translation>
            <numerusform>%n more follows as these are decided.</numerusform>
            <numerusform>%n more follow as these are decided.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InjectionPanel</name>
    <message numerus="yes">
        <source>For %n turn(s)</source>
        <translation>
            <numerusform>For %n turn</numerusform>
            <numerusform>For %n turns</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ItemList</name>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n entry</numerusform>
            <numerusform>%n entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s)</source>
        <translation>
            <numerusform>%n regex script</numerusform>
            <numerusform>%n regex scripts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>JobList</name>
    <message numerus="yes">
        <source>about %n second(s) left</source>
        <translation>
            <numerusform>about %n second left</numerusform>
            <numerusform>about %n seconds left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation>
            <numerusform>about %n minute left</numerusform>
            <numerusform>about %n minutes left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeptStrip</name>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n entry</numerusform>
            <numerusform>%n entries</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LabPage</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryFinder</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryHealth</name>
    <message numerus="yes">
        <source>%n thing(s) in the library need attention.</source>
        <translation>
            <numerusform>%n thing in the library needs attention.</numerusform>
            <numerusform>%n things in the library need attention.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Opening the library repaired %n thing(s).</source>
        <translation>
            <numerusform>Opening the library repaired %n thing.</numerusform>
            <numerusform>Opening the library repaired %n things.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LogList</name>
    <message numerus="yes">
        <source>Deleting %n private log(s)</source>
        <translation>
            <numerusform>Deleting %n private log</numerusform>
            <numerusform>Deleting %n private logs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n private log(s) deleted</source>
        <translation>
            <numerusform>%n private log deleted</numerusform>
            <numerusform>%n private logs deleted</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ManyPanel</name>
    <message numerus="yes">
        <source>%n event(s) selected</source>
        <translation>
            <numerusform>%n event selected</numerusform>
            <numerusform>%n events selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them are locked: what they say stays.</source>
        <translation>
            <numerusform>%n of them is locked: what it says stays.</numerusform>
            <numerusform>%n of them are locked: what they say stays.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemberRow</name>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n event</numerusform>
            <numerusform>%n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryFolders</name>
    <message numerus="yes">
        <source>%n memory(s) changed by files of {folder}</source>
        <translation>
            <numerusform>%n memory changed by files of {folder}</numerusform>
            <numerusform>%n memories changed by files of {folder}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) of {folder} wait for your choice</source>
        <translation>
            <numerusform>%n file of {folder} waits for your choice</numerusform>
            <numerusform>%n files of {folder} wait for your choice</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryMarks</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryShelf</name>
    <message numerus="yes">
        <source>World book of %n entry(ies) written</source>
        <translation>
            <numerusform>World book of %n entry written</numerusform>
            <numerusform>World book of %n entries written</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MergeWorldbookDialog</name>
    <message numerus="yes">
        <source>%n entry(ies) changed in the file</source>
        <translation>
            <numerusform>%n entry changed in the file</numerusform>
            <numerusform>%n entries changed in the file</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MessageBar</name>
    <message numerus="yes">
        <source>%n more message(s)…</source>
        <translation>
            <numerusform>%n more message…</numerusform>
            <numerusform>%n more messages…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelStep</name>
    <message numerus="yes">
        <source>%n model(s) at {url}</source>
        <translation>
            <numerusform>%n model at {url}</numerusform>
            <numerusform>%n models at {url}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NothingListed</name>
    <message numerus="yes">
        <source>%n block(s) wait for your review</source>
        <translation>
            <numerusform>%n block waits for your review</numerusform>
            <numerusform>%n blocks wait for your review</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n floor(s) are waiting. A summary turns them into events you can read, correct and recall.</source>
        <translation>
            <numerusform>%n floor is waiting. A summary turns them into events you can read, correct and recall.</numerusform>
            <numerusform>%n floors are waiting. A summary turns them into events you can read, correct and recall.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PastRecalls</name>
    <message numerus="yes">
        <source>%n memory(s)</source>
        <translation>
            <numerusform>%n memory</numerusform>
            <numerusform>%n memories</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Pipeline</name>
    <message numerus="yes">
        <source>Summed up in %n outline(s)</source>
        <translation>
            <numerusform>Summed up in %n outline</numerusform>
            <numerusform>Summed up in %n outlines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) to {model}</source>
        <translation>
            <numerusform>%n request to {model}</numerusform>
            <numerusform>%n requests to {model}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) made</source>
        <translation>
            <numerusform>%n event made</numerusform>
            <numerusform>%n events made</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) were not started.</source>
        <translation>
            <numerusform>%n block was not started.</numerusform>
            <numerusform>%n blocks were not started.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{made}, but %n block(s) failed.</source>
        <translation>
            <numerusform>{made}, but %n block failed.</numerusform>
            <numerusform>{made}, but %n blocks failed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No event was made of %n message(s).</source>
        <translation>
            <numerusform>No event was made of %n message.</numerusform>
            <numerusform>No event was made of %n messages.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) are ready for your review.</source>
        <translation>
            <numerusform>%n block is ready for your review.</numerusform>
            <numerusform>%n blocks are ready for your review.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) archived</source>
        <translation>
            <numerusform>%n event archived</numerusform>
            <numerusform>%n events archived</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entity(s) added</source>
        <translation>
            <numerusform>%n entity added</numerusform>
            <numerusform>%n entities added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n relation(s) added</source>
        <translation>
            <numerusform>%n relation added</numerusform>
            <numerusform>%n relations added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n archived event(s) are in no outline.</source>
        <translation>
            <numerusform>%n archived event is in no outline.</numerusform>
            <numerusform>%n archived events are in no outline.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) merged</source>
        <translation>
            <numerusform>%n event merged</numerusform>
            <numerusform>%n events merged</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outline(s) made</source>
        <translation>
            <numerusform>%n outline made</numerusform>
            <numerusform>%n outlines made</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlayChat</name>
    <message numerus="yes">
        <source>%n message(s) deleted</source>
        <translation>
            <numerusform>%n message deleted</numerusform>
            <numerusform>%n messages deleted</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlayPage</name>
    <message numerus="yes">
        <source>Delete this and the %n after it</source>
        <translation>
            <numerusform>Delete this and the one after it</numerusform>
            <numerusform>Delete this and the %n after it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PromiseSection</name>
    <message numerus="yes">
        <source>Promises · %n open</source>
        <translation>
            <numerusform>Promises · %n open</numerusform>
            <numerusform>Promises · %n open</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReadingChat</name>
    <message numerus="yes">
        <source>%n message(s) hidden from prompts; memory is as it was</source>
        <translation>
            <numerusform>%n message hidden from prompts; memory is as it was</numerusform>
            <numerusform>%n messages hidden from prompts; memory is as it was</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) shown to prompts again</source>
        <translation>
            <numerusform>%n message shown to prompts again</numerusform>
            <numerusform>%n messages shown to prompts again</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) deleted</source>
        <translation>
            <numerusform>%n message deleted</numerusform>
            <numerusform>%n messages deleted</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RecallPage</name>
    <message numerus="yes">
        <source>%n memory(s)</source>
        <translation>
            <numerusform>%n memory</numerusform>
            <numerusform>%n memories</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReflectDialog</name>
    <message numerus="yes">
        <source>%n block(s), floors {first}–{last}</source>
        <translation>
            <numerusform>%n block, floors {first}–{last}</numerusform>
            <numerusform>%n blocks, floors {first}–{last}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{model} is asked %n time(s), once per character and block: about {tokens} tokens to read.</source>
        <translation>
            <numerusform>{model} is asked once, per character and block: about {tokens} tokens to read.</numerusform>
            <numerusform>{model} is asked %n times, once per character and block: about {tokens} tokens to read.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Reflecting</name>
    <message numerus="yes">
        <source>%n event(s) made</source>
        <translation>
            <numerusform>%n event made</numerusform>
            <numerusform>%n events made</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n private log(s) written</source>
        <translation>
            <numerusform>%n private log written</numerusform>
            <numerusform>%n private logs written</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) contained nothing new.</source>
        <translation>
            <numerusform>%n answer contained nothing new.</numerusform>
            <numerusform>%n answers contained nothing new.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RelationCard</name>
    <message numerus="yes">
        <source>stated in %n event(s)</source>
        <translation>
            <numerusform>stated in %n event</numerusform>
            <numerusform>stated in %n events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReplaceDialog</name>
    <message numerus="yes">
        <source>%n selected event(s)</source>
        <translation>
            <numerusform>%n selected event</numerusform>
            <numerusform>%n selected events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) of the list</source>
        <translation>
            <numerusform>%n event of the list</numerusform>
            <numerusform>%n events of the list</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) would change.</source>
        <translation>
            <numerusform>%n place would change.</numerusform>
            <numerusform>%n places would change.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n locked event(s) are left out.</source>
        <translation>
            <numerusform>%n locked event is left out.</numerusform>
            <numerusform>%n locked events are left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) whose summary would be empty stay.</source>
        <translation>
            <numerusform>%n event whose summary would be empty stays.</numerusform>
            <numerusform>%n events whose summary would be empty stay.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace in %n place(s)</source>
        <translation>
            <numerusform>Replace in %n place</numerusform>
            <numerusform>Replace in %n places</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Review</name>
    <message numerus="yes">
        <source>%n block(s) were not saved.</source>
        <translation>
            <numerusform>%n block was not saved.</numerusform>
            <numerusform>%n blocks were not saved.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) saved</source>
        <translation>
            <numerusform>%n event saved</numerusform>
            <numerusform>%n events saved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) made</source>
        <translation>
            <numerusform>%n event made</numerusform>
            <numerusform>%n events made</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n draft(s) discarded</source>
        <translation>
            <numerusform>%n draft discarded</numerusform>
            <numerusform>%n drafts discarded</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewDialog</name>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n event</numerusform>
            <numerusform>%n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Save all %n block(s)</source>
        <translation>
            <numerusform>Save all, %n block</numerusform>
            <numerusform>Save all %n blocks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RowMenu</name>
    <message numerus="yes">
        <source>Delete %n message(s)</source>
        <translation>
            <numerusform>Delete %n message</numerusform>
            <numerusform>Delete %n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SameInbox</name>
    <message numerus="yes">
        <source>%n profile(s) updated</source>
        <translation>
            <numerusform>%n profile updated</numerusform>
            <numerusform>%n profiles updated</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SamePage</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ScriptList</name>
    <message numerus="yes">
        <source>%n regex script(s) written</source>
        <translation>
            <numerusform>%n regex script written</numerusform>
            <numerusform>%n regex scripts written</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message numerus="yes">
        <source>%n event(s) selected</source>
        <translation>
            <numerusform>%n event selected</numerusform>
            <numerusform>%n events selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SheetDialog</name>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n event</numerusform>
            <numerusform>%n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n relation(s)</source>
        <translation>
            <numerusform>%n relation</numerusform>
            <numerusform>%n relations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SortDialog</name>
    <message numerus="yes">
        <source>%n entry(ies) get another order</source>
        <translation>
            <numerusform>%n entry gets another order</numerusform>
            <numerusform>%n entries get another order</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatePage</name>
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation>
            <numerusform>%n value</numerusform>
            <numerusform>%n values</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n update(s) could not be read</source>
        <translation>
            <numerusform>%n update could not be read</numerusform>
            <numerusform>%n updates could not be read</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StepStrip</name>
    <message numerus="yes">
        <source>%n floor(s) are not in memory yet</source>
        <translation>
            <numerusform>%n floor is not in memory yet</numerusform>
            <numerusform>%n floors are not in memory yet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) wait for your review</source>
        <translation>
            <numerusform>%n block waits for your review</numerusform>
            <numerusform>%n blocks wait for your review</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) could not be read</source>
        <translation>
            <numerusform>%n block could not be read</numerusform>
            <numerusform>%n blocks could not be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The buffer is full: %n event(s)</source>
        <translation>
            <numerusform>The buffer is full: %n event</numerusform>
            <numerusform>The buffer is full: %n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>With a model, the story, the people and what binds them get richer: about {tokens} tokens for these %n floor(s).</source>
        <translation>
            <numerusform>With a model, the story, the people and what binds them get richer: about {tokens} tokens for this floor.</numerusform>
            <numerusform>With a model, the story, the people and what binds them get richer: about {tokens} tokens for these %n floors.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SuggestionCard</name>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n event</numerusform>
            <numerusform>%n events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SummariseDialog</name>
    <message numerus="yes">
        <source>%n block(s), floors {first}–{last}</source>
        <translation>
            <numerusform>%n block, floors {first}–{last}</numerusform>
            <numerusform>%n blocks, floors {first}–{last}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) were answered before and cost nothing.</source>
        <translation>
            <numerusform>%n block was answered before and costs nothing.</numerusform>
            <numerusform>%n blocks were answered before and cost nothing.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) wait for your review.</source>
        <translation>
            <numerusform>%n block waits for your review.</numerusform>
            <numerusform>%n blocks wait for your review.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TavernDialog</name>
    <message numerus="yes">
        <source>Take in %n thing(s)</source>
        <translation>
            <numerusform>Take in %n thing</numerusform>
            <numerusform>Take in %n things</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stop following %n chat(s)</source>
        <translation>
            <numerusform>Stop following %n chat</numerusform>
            <numerusform>Stop following %n chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TavernModel</name>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n chat</numerusform>
            <numerusform>%n chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n character card(s)</source>
        <translation>
            <numerusform>%n character card</numerusform>
            <numerusform>%n character cards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n world book(s)</source>
        <translation>
            <numerusform>%n world book</numerusform>
            <numerusform>%n world books</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s)</source>
        <translation>
            <numerusform>%n regex script</numerusform>
            <numerusform>%n regex scripts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n persona(s)</source>
        <translation>
            <numerusform>%n persona</numerusform>
            <numerusform>%n personas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) added</source>
        <translation>
            <numerusform>%n message added</numerusform>
            <numerusform>%n messages added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TavernStep</name>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n chat</numerusform>
            <numerusform>%n chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n character(s)</source>
        <translation>
            <numerusform>%n character</numerusform>
            <numerusform>%n characters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ThreadLanes</name>
    <message numerus="yes">
        <source>%n thread(s) open</source>
        <translation>
            <numerusform>%n thread open</numerusform>
            <numerusform>%n threads open</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message numerus="yes">
        <source>%n item(s) wait</source>
        <translation>
            <numerusform>%n item waits</numerusform>
            <numerusform>%n items wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} · %n floor(s)</source>
        <translation>
            <numerusform>{name} · %n floor</numerusform>
            <numerusform>{name} · %n floors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Archive %n event(s) of the buffer</source>
        <translation>
            <numerusform>Archive %n event of the buffer</numerusform>
            <numerusform>Archive %n events of the buffer</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrashDialog</name>
    <message numerus="yes">
        <source>%n chat(s), {size}</source>
        <translation>
            <numerusform>%n chat, {size}</numerusform>
            <numerusform>%n chats, {size}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chat(s) for good?</source>
        <translation>
            <numerusform>Delete %n chat for good?</numerusform>
            <numerusform>Delete %n chats for good?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrimDialog</name>
    <message numerus="yes">
        <source>%n archived event(s) are in no outline.</source>
        <translation>
            <numerusform>%n archived event is in no outline.</numerusform>
            <numerusform>%n archived events are in no outline.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WaitingCard</name>
    <message numerus="yes">
        <source>%n contradiction(s) without an answer</source>
        <translation>
            <numerusform>%n contradiction without an answer</numerusform>
            <numerusform>%n contradictions without an answer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n promise(s) open</source>
        <translation>
            <numerusform>%n promise open</numerusform>
            <numerusform>%n promises open</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them due</source>
        <translation>
            <numerusform>%n of them due</numerusform>
            <numerusform>%n of them due</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WhoDialog</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n memory</numerusform>
            <numerusform>%n memories</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WorldbookList</name>
    <message numerus="yes">
        <source>Changing %n entry(ies)</source>
        <translation>
            <numerusform>Changing %n entry</numerusform>
            <numerusform>Changing %n entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Deleting %n entry(ies)</source>
        <translation>
            <numerusform>Deleting %n entry</numerusform>
            <numerusform>Deleting %n entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) deleted</source>
        <translation>
            <numerusform>%n entry deleted</numerusform>
            <numerusform>%n entries deleted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moving %n entry(ies)</source>
        <translation>
            <numerusform>Moving %n entry</numerusform>
            <numerusform>Moving %n entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) moved to “{name}”</source>
        <translation>
            <numerusform>%n entry moved to “{name}”</numerusform>
            <numerusform>%n entries moved to “{name}”</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) changed</source>
        <translation>
            <numerusform>%n entry changed</numerusform>
            <numerusform>%n entries changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>World book of %n entry(ies) written</source>
        <translation>
            <numerusform>World book of %n entry written</numerusform>
            <numerusform>World book of %n entries written</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WorldbookMerge</name>
    <message numerus="yes">
        <source>{file} is merged: %n entry(ies) of it added to the memory</source>
        <translation>
            <numerusform>{file} is merged: %n entry of it added to the memory</numerusform>
            <numerusform>{file} is merged: %n entries of it added to the memory</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WorldbookPage</name>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n entry</numerusform>
            <numerusform>%n entries</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WorldbookPanel</name>
    <message numerus="yes">
        <source>%n entry(ies) selected. What you change here changes in all of them; a blank field means that they differ.</source>
        <translation>
            <numerusform>%n entry selected. What you change here changes in it.</numerusform>
            <numerusform>%n entries selected. What you change here changes in all of them; a blank field means that they differ.</numerusform>
        </translation>
    </message>
</context>
</TS>
