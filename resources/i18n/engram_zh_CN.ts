<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AboutDialog</name>
    <message>
        <source>Long-term memory for role-play chats.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the library&apos;s folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>search this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>search the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>import</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>save the event now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>select all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>invert the selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>toggle the lamp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edit the summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clear the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fit the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>full screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatTree</name>
    <message>
        <source>Renaming the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleting the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n floor(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{floors} · not yet summarised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{floors} · buffer {buffer}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConsolidateDialog</name>
    <message>
        <source>Consolidate memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archived events leave the prompt and come back when they are recalled. One undo takes all of it back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Consolidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) will be embedded, linked into the graph and archived.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>About {tokens} tokens, embedded by {embedder}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n locked event(s) stay in the buffer.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CoverageBar</name>
    <message>
        <source>Coverage: which floors have become memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done} of {all} floors have become memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Floor {floor}: {state}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>archived</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the buffer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stale: its messages were changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not yet summarised</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EditorPanel</name>
    <message>
        <source>Nothing selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select an event to read and correct it. Click its lamp to archive it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete this event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fields</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As a model reads it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Raw JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps of this chat, newest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo the newest step</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) in a prompt</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Outline {level}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archived event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffered event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Green lamp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blue lamp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unlock: automation may change it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock: no automation may change it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>extractive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} · floor {floor}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its messages are gone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (undone)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Endpoint</name>
    <message>
        <source>Saving a key</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EndpointForm</name>
    <message>
        <source>Test the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads the chat and writes the events. Without it they are extracted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns memories into vectors. Without it the built-in embedder does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optional: puts recalled memories into a better order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a preset…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base URL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>API key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Requests go to {url}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty: nothing is sent anywhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A key is stored in: {where}. Type to replace it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It will be kept in: {where}. Local servers need none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It does not work yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) offered</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntityPanel</name>
    <message>
        <source>No entity selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a node to see what is known of it. Double-click puts it in the centre.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>also {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing is written down yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventCard</name>
    <message>
        <source>Outline {level}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extractive</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EventEditor</name>
    <message>
        <source>Saving the event</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EventFields</name>
    <message>
        <source>Summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Story time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Significance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Entities and relations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Structured fields</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Causality</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None named</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EventList</name>
    <message>
        <source>Outline, always in context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archived, in context when recalled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffer, always in context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Floor {first}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Floors {first}–{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Archiving %n event(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moving %n event(s) back to the buffer</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Locking %n event(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Unlocking %n event(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Deleting %n event(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Saving the event</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EventListModel</name>
    <message>
        <source>Locked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stale</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EventPage</name>
    <message>
        <source>Search events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any entity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By story time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By story time, newest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By significance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By time made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By time changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To buffer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Invert selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+I</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move back to the buffer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Summarise these floors again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffer {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archived {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outlines {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stale {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No event matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try fewer words, or show all events again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No events yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n floor(s) are waiting. A summary turns them into events you can read, correct and recall.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) selected</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventView</name>
    <message>
        <source>Events</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FailuresDialog</name>
    <message>
        <source>Blocks that failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Floors {first}–{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model&apos;s own answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try this block again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There was no answer.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FileCard</name>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hidden</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other swipe(s), not used</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) cannot be read; the rest is imported:</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>line {line}: {message}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Continue “{name}”: %n new message(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Continue “{name}”: nothing new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep both: a chat of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the new chat</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FootBar</name>
    <message>
        <source>Always visible {used} / {limit} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory off</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Summary every %n floor(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Index in order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exact search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index starting, exact search meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index behind, exact search meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index broken, exact search meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Graph</name>
    <message>
        <source>Characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Items</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Concepts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GraphPage</name>
    <message>
        <source>Graph; the list beside it has the same content</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find an entity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hops from the centre</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the most connected entity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit everything (Ctrl+0)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Entities and their relations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Showing {shown} of {total} entities: the best connected ones. Fewer hops, or another centre, show the rest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No entities yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>People, places and things appear here when the buffer is consolidated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every type is switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch a type on again in the legend above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No entity has this name</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GraphPageModel</name>
    <message>
        <source>Saving the layout</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HealthDialog</name>
    <message>
        <source>Library health</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rebuild the index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Safe: vectors and index are made again from what is stored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (repaired)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) need attention.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Everything is in order.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HitCard</name>
    <message>
        <source>Floors {first}–{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>found by {legs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; matched {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reranker</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message numerus="yes">
        <source>Import %n file(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The files themselves are only read, never changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ImportPlan</name>
    <message>
        <source>Importing {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) added</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; %n line(s) could not be read</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>JobList</name>
    <message numerus="yes">
        <source>about %n second(s) left</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryHealth</name>
    <message>
        <source>Repairing the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backing up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rebuilding the index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backed up to {file}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) exported</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Import</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats (*.jsonl *.json);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markdown (*.md);;JSON (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Pipeline</name>
    <message>
        <source>Summarising</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) made</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, but %n block(s) failed.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>What was finished is kept; the failed floors can be tried again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Consolidating memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) archived</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entity(s) added</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n relation(s) added</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{archived}, {entities}, {relations}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped. What was finished is kept.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RecallPage</name>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Entity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Private log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask, or paste the newest message of the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget (tokens)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What would be remembered?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type what is about to be said. You see which memories come back, and why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a prompt would get</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing comes to mind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try other words, or make more of the chat into events first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>the index (exact search took its place)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the meaning of words (no embedder answered)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Could not take part: {parts}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Engram crashed the last time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong that should not have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was saved is safe. The report below holds no story text and no key. Nothing is sent: copy it into an issue if you wish.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages of the settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reranker</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsForm</name>
    <message>
        <source>Summaries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recall and injection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vector index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys and safety</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extractive, without a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vectors only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vectors and graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exact search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multilingual sentence encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Character hashes (for tests)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comfortable, two lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compact, one line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system&apos;s keyring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory, until the program ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file, not encrypted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving a setting</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Search the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the library (Ctrl+K)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Library health</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete “{name}” with all its memory?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file it was imported from stays. A backup is made first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SourceDialog</name>
    <message>
        <source>Floors {first}–{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} · floor {floor}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SummariseDialog</name>
    <message>
        <source>Summarise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each block of floors is read once and becomes events in the buffer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything not yet summarised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These floors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First floor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last floor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing left to summarise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The newest floors are left alone while they may still change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n block(s), floors {first}–{last}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{model} is asked once per block: about {tokens} tokens to read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without a model: key sentences, names and places. Nothing is sent.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TaskLine</name>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TaskPanel</name>
    <message>
        <source>Tasks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is running.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Show the side panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import… (Ctrl+O)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Main line</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n branch(es)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Consolidate {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Consolidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Archive %n event(s) of the buffer</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The buffer is empty: there is nothing to archive.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UndoActions</name>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo: {step}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo: {step}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undoing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redoing</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Memory for long stories</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engram reads a chat once, turns it into events you can read and correct, and recalls them when the story needs them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try the demo story</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A short story in a tavern. Nothing to set up, nothing is sent anywhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import a chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a SillyTavern .jsonl file on this window. The file itself stays as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set up a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optional: with an OpenAI-compatible endpoint, summaries are much better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WordChip</name>
    <message>
        <source>Remove {word}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this word</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WordChips</name>
    <message>
        <source>Add a word</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>errors</name>
    <message>
        <source>{detail}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no {kind} “{name}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The setting {key} cannot be “{value}”: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The library {path} is in use by {holder}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close that window or wait for that command, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was written by a newer Engram (format {found}, this one knows {known}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update Engram. The file was not touched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was left as it is. Restore a backup, or run “engram doctor”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no space left to write {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free some space; nothing that was finished is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was changed meanwhile: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was overwritten. Try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to undo or redo here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No {task} endpoint is set up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set one up in the settings, or go on without a model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address “{url}” cannot be used: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter the base URL, usually ending in /v1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{url} did not answer: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address, the server and the network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{url} refused the key ({status}): {detail}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the API key and what it may use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{url} asks to wait ({status}): {detail}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was finished is kept. Go on later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{url} answered with an error ({status}): {detail}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model&apos;s answer cannot be used: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer was kept. Try again, or try another model.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>settings</name>
    <message>
        <source>Floors per summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many messages one summary covers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newest floors left alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They may still be rerolled or edited.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffer: events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Consolidate when so many events wait; 0 is never.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffer: tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Consolidate when the waiting events cost so much; 0 is never.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit of always-visible text (tokens)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above it, old events are merged into outlines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off: nothing is summarised or injected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memories per recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Injection budget (tokens)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vector index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto: exact search while the chat is small or the index is behind.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chroma server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address of a Chroma server; empty uses the embedded one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat endpoint: base URL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example https://host/v1. Empty: no model is asked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat endpoint: model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat endpoint: time-out (s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat endpoint: requests at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding endpoint: base URL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty: the built-in embedder runs on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding endpoint: model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Built-in embedder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rerank endpoint: base URL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rerank endpoint: model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Card template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How an event reads; empty is the built-in card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>API keys are kept in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo steps kept per chat</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>steps</name>
    <message>
        <source>Archive {count} events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make {count} events always visible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock {count} events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unlock {count} events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete {count} events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit “{summary}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Summarise floors {first}–{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Consolidate {count} events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import {count} messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace messages from floor {first} on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
