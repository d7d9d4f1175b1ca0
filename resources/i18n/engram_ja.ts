<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja_JP">
<context>
    <name>AboutDialog</name>
    <message>
        <source>Long-term memory for role-play chats.</source>
        <translation>ロールプレイチャットのための長期記憶。</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>ライブラリ</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>ショートカットキー</translation>
    </message>
    <message>
        <source>Open the library&apos;s folder</source>
        <translation>ライブラリのフォルダを開く</translation>
    </message>
    <message>
        <source>Change keys…</source>
        <translation>ショートカットキーを変更…</translation>
    </message>
    <message>
        <source>Third-party notices</source>
        <translation>サードパーティに関する表示</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>更新内容</translation>
    </message>
    <message>
        <source>Look for a newer version</source>
        <translation>新しいバージョンを確認</translation>
    </message>
    <message>
        <source>Asks {address}</source>
        <translation>{address}に問い合わせます</translation>
    </message>
    <message>
        <source>Read about it</source>
        <translation>詳細を見る</translation>
    </message>
    <message>
        <source>Asking {address}…</source>
        <translation>{address}に問い合わせ中…</translation>
    </message>
    <message>
        <source>Version {version} is out.</source>
        <translation>バージョン{version}が公開されています。</translation>
    </message>
    <message>
        <source>This is the newest version.</source>
        <translation>最新バージョンです。</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>ページの切り替え</translation>
    </message>
    <message>
        <source>The text of the chat</source>
        <translation>チャットの原文</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>すべて選択</translation>
    </message>
    <message>
        <source>Toggle the lamp</source>
        <translation>ランプの切り替え</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>検索をクリア</translation>
    </message>
</context>
<context>
    <name>AddDialog</name>
    <message>
        <source>Write a memory</source>
        <translation>記憶を書く</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>記憶</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>キーワード</translation>
    </message>
    <message>
        <source>Entities</source>
        <translation>エンティティ</translation>
    </message>
    <message>
        <source>Floors it covers</source>
        <translation>対象のフロア</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>{name}: “{words}”</source>
        <translation>{name}「{words}」</translation>
    </message>
    <message>
        <source>Event: it happened</source>
        <translation>イベント：起きたこと</translation>
    </message>
    <message>
        <source>Fact: it holds</source>
        <translation>事実：成り立ち続けること</translation>
    </message>
    <message>
        <source>A fact is locked in context until you let it go: a rule, an origin, a trait.</source>
        <translation>事実はロックされ、解除するまで常にコンテキストに入ります。掟、生い立ち、体質など。</translation>
    </message>
    <message>
        <source>An event joins the buffer and is archived with the others.</source>
        <translation>イベントはバッファに入り、ほかのイベントと一緒にアーカイブされます。</translation>
    </message>
    <message>
        <source>For example: silver burns Lin Wan’s skin.</source>
        <translation>例：銀は林晩の肌を焼く。</translation>
    </message>
    <message>
        <source>For example: Lin Wan gave the copper key to the traveller.</source>
        <translation>例：林晩は銅の鍵を旅人に渡した。</translation>
    </message>
</context>
<context>
    <name>AddRelationDialog</name>
    <message>
        <source>Add a relation of “{name}”</source>
        <translation>「{name}」に関係を追加</translation>
    </message>
    <message>
        <source>{name} → the other</source>
        <translation>{name} → 相手</translation>
    </message>
    <message>
        <source>The other → {name}</source>
        <translation>相手 → {name}</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>For example: trusts, lives in, friend</source>
        <translation>例：信頼している、住んでいる、友人</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>関係</translation>
    </message>
    <message>
        <source>The other entity</source>
        <translation>相手のエンティティ</translation>
    </message>
    <message>
        <source>It holds from the newest floor on, until the story says otherwise.</source>
        <translation>最新のフロアから、物語で変わるまで有効です。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>追加</translation>
    </message>
</context>
<context>
    <name>AdoptDialog</name>
    <message>
        <source>Take over memories of other tools</source>
        <translation>ほかのツールの記憶を引き継ぐ</translation>
    </message>
    <message>
        <source>What other memory tools left in “{name}” and in files of theirs. Memories become events marked as imported that say where they come from; nothing is taken over twice, and one undo takes it all back.</source>
        <translation>ほかの記憶ツールが「{name}」やそのファイルに残した内容です。記憶は出どころ付きの「インポート」イベントになります。二重に引き継がれることはなく、一度の「元に戻す」ですべて取り消せます。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>記憶</translation>
    </message>
    <message>
        <source>Floors</source>
        <translation>フロア</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Memories by tool</source>
        <translation>ツール別の記憶</translation>
    </message>
    <message>
        <source>The memory in full</source>
        <translation>記憶の全文</translation>
    </message>
    <message>
        <source>Choose a memory to read it in full.</source>
        <translation>記憶を選ぶと全文が表示されます。</translation>
    </message>
    <message>
        <source>From files…</source>
        <translation>ファイルから…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Take over</source>
        <translation>引き継ぐ</translation>
    </message>
    <message>
        <source>Files with memories of other tools</source>
        <translation>ほかのツールの記憶を含むファイル</translation>
    </message>
    <message>
        <source>JSON files (*.json)</source>
        <translation>JSONファイル (*.json)</translation>
    </message>
    <message>
        <source>Nothing of a known tool was found in this chat. Sync files of the Engram extension, chats exported from Risu and world books of MemoryBooks can be chosen.</source>
        <translation>このチャットには、対応するツールの記憶が見つかりませんでした。Engram拡張の同期ファイル、Risuから書き出したチャット、MemoryBooksのワールドブックを選択できます。</translation>
    </message>
    <message numerus="yes">
        <source>%n new</source>
        <translation>
            <numerusform>新規%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n known already</source>
        <translation>
            <numerusform>既存%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>known already</source>
        <translation>既存</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>ほか%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take over %n memory(s)</source>
        <translation>
            <numerusform>%n件の記憶を引き継ぐ</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Adoption</name>
    <message>
        <source>Taking over memories</source>
        <translation>記憶の引き継ぎ</translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s) taken over</source>
        <translation>
            <numerusform>記憶を%n件引き継ぎました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outdated one(s) replaced</source>
        <translation>
            <numerusform>古くなった%n件を置き換えました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n known already</source>
        <translation>
            <numerusform>既存%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>One undo takes it back.</source>
        <translation>一度の「元に戻す」で取り消せます。</translation>
    </message>
</context>
<context>
    <name>Arranging</name>
    <message numerus="yes">
        <source>Sorting %n entry(ies)</source>
        <translation>
            <numerusform>%n件の項目の並べ替え</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moving %n entry(ies)</source>
        <translation>
            <numerusform>%n件の項目の移動</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Changing %n entry(ies)</source>
        <translation>
            <numerusform>%n件の項目の変更</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Automation</name>
    <message>
        <source>Automatic memory</source>
        <translation>自動記憶</translation>
    </message>
    <message>
        <source>Automatic: working…</source>
        <translation>自動：処理中…</translation>
    </message>
    <message>
        <source>Automatic: stopped by an error</source>
        <translation>自動：エラーで停止</translation>
    </message>
    <message>
        <source>Automatic: the session is to be looked back on</source>
        <translation>自動：セッションの振り返り待ち</translation>
    </message>
    <message>
        <source>Automatic: memory is to be tidied</source>
        <translation>自動：記憶の整理待ち</translation>
    </message>
    <message>
        <source>Memory off</source>
        <translation>記憶オフ</translation>
    </message>
    <message>
        <source>Automatic: paused</source>
        <translation>自動：一時停止中</translation>
    </message>
    <message>
        <source>Automatic: stopped, today&apos;s tokens are spent</source>
        <translation>自動：停止（本日のトークンを使い切りました）</translation>
    </message>
    <message>
        <source>Automatic: waiting for your review</source>
        <translation>自動：確認待ち</translation>
    </message>
    <message>
        <source>Automatic: waiting for your consent</source>
        <translation>自動：同意待ち</translation>
    </message>
    <message numerus="yes">
        <source>Automatic: %n block(s) due</source>
        <translation>
            <numerusform>自動：要約待ち%nブロック</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Automatic: on · next summary in %n floor(s)</source>
        <translation>
            <numerusform>自動：オン · 次の要約まで%nフロア</numerusform>
        </translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試行</translation>
    </message>
    <message>
        <source>Decide…</source>
        <translation>選択…</translation>
    </message>
    <message>
        <source>Do it now</source>
        <translation>今すぐ実行</translation>
    </message>
    <message>
        <source>Saving a setting</source>
        <translation>設定の保存</translation>
    </message>
    <message numerus="yes">
        <source>“{chat}”: %n floor(s) have not been summarised.</source>
        <translation>
            <numerusform>「{chat}」：%nフロアが未要約です。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“{chat}”: %n floor(s) have not been looked back on.</source>
        <translation>
            <numerusform>「{chat}」：%nフロアをまだ振り返っていません。</numerusform>
        </translation>
    </message>
    <message>
        <source>“{chat}”: profiles of entities are far behind the story.</source>
        <translation>「{chat}」：エンティティのプロフィールが物語から大きく遅れています。</translation>
    </message>
    <message>
        <source>Go ahead</source>
        <translation>実行</translation>
    </message>
    <message>
        <source>Only new ones</source>
        <translation>新しい分だけ</translation>
    </message>
    <message>
        <source>Automatic memory stopped.</source>
        <translation>自動記憶が停止しました。</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) could not be read.</source>
        <translation>
            <numerusform>%n個のブロックの応答を読み取れませんでした。</numerusform>
        </translation>
    </message>
    <message>
        <source>The answers were kept; they are not asked again unless you do.</source>
        <translation>応答は保管されています。指示しない限り、再リクエストはしません。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
    <message>
        <source>Automatic memory went on with less.</source>
        <translation>自動記憶は一部を省いて続行しました。</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) are ready for your review.</source>
        <translation>
            <numerusform>%n個のブロックが確認待ちです。</numerusform>
        </translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>確認…</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) made</source>
        <translation>
            <numerusform>イベント%n件を作成</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) archived</source>
        <translation>
            <numerusform>イベント%n件をアーカイブ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outline(s) made</source>
        <translation>
            <numerusform>あらすじ%n件を作成</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n private log(s) written</source>
        <translation>
            <numerusform>個人の記録%n件を作成</numerusform>
        </translation>
    </message>
    <message>
        <source>“{chat}”, automatically: {done}.</source>
        <translation>「{chat}」：自動で処理しました（{done}）。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>The newest events stay always visible; automation can be paused below.</source>
        <translation>最新のイベントは常に表示されます。自動記憶はウィンドウ下部で一時停止できます。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Undoing</source>
        <translation>元に戻しています</translation>
    </message>
    <message>
        <source>Taken back. The floors count as not summarised again.</source>
        <translation>元に戻しました。これらのフロアは未要約の扱いになります。</translation>
    </message>
    <message>
        <source>{model}: {calls} calls, about {prompt} + {completion} tokens</source>
        <translation>{model}：{calls}回のリクエスト、約{prompt} + {completion}トークン</translation>
    </message>
</context>
<context>
    <name>Away</name>
    <message>
        <source>{task}: done</source>
        <translation>{task}：完了</translation>
    </message>
    <message>
        <source>{task}: it failed</source>
        <translation>{task}：失敗</translation>
    </message>
</context>
<context>
    <name>BinDialog</name>
    <message>
        <source>Deleted events</source>
        <translation>削除したイベント</translation>
    </message>
    <message>
        <source>They stay here after they can no longer be undone. Outlines are left out.</source>
        <translation>「元に戻す」で戻せなくなった後も、ここに残ります。あらすじは含まれません。</translation>
    </message>
    <message>
        <source>Search deleted events</source>
        <translation>削除したイベントを検索</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>復元</translation>
    </message>
    <message numerus="yes">
        <source>%n deleted event(s)</source>
        <translation>
            <numerusform>削除したイベント：%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>No event was deleted.</source>
        <translation>削除したイベントはありません。</translation>
    </message>
</context>
<context>
    <name>BodiesDialog</name>
    <message>
        <source>The exact request</source>
        <translation>リクエストの原文</translation>
    </message>
    <message>
        <source>It is held in memory for the newest requests only, and stored nowhere.</source>
        <translation>新しいリクエストの分だけをメモリ上に保持し、どこにも保存しません。</translation>
    </message>
    <message>
        <source>As it came</source>
        <translation>受信時</translation>
    </message>
    <message>
        <source>As it was sent on</source>
        <translation>転送時</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>only its beginning is shown</source>
        <translation>冒頭のみ表示</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
</context>
<context>
    <name>BookOpening</name>
    <message>
        <source>Rename the world book</source>
        <translation>ワールドブックの名前を変更</translation>
    </message>
    <message>
        <source>Put under a new heading</source>
        <translation>新しい見出しの下に入れる</translation>
    </message>
    <message>
        <source>Put there</source>
        <translation>見出しの下に入れる</translation>
    </message>
    <message>
        <source>Rename the heading</source>
        <translation>見出しの名前を変更</translation>
    </message>
</context>
<context>
    <name>Branches</name>
    <message>
        <source>Main line</source>
        <translation>本線</translation>
    </message>
    <message>
        <source>Forking a branch</source>
        <translation>分岐の作成</translation>
    </message>
    <message>
        <source>Renaming a branch</source>
        <translation>分岐の名前の変更</translation>
    </message>
    <message>
        <source>Deleting a branch</source>
        <translation>分岐の削除</translation>
    </message>
    <message>
        <source>Rolling back</source>
        <translation>巻き戻し</translation>
    </message>
</context>
<context>
    <name>BranchesDialog</name>
    <message>
        <source>Branches</source>
        <translation>分岐</translation>
    </message>
    <message>
        <source>A branch shares its parent’s floors and memories up to the fork, and has its own after it. Choose two to compare what they remember.</source>
        <translation>分岐は、分岐点までのフロアと記憶を親と共有し、その先は独自に持ちます。2つ選ぶと、記憶の違いを比較できます。</translation>
    </message>
    <message>
        <source>What the branches remember apart</source>
        <translation>分岐ごとの記憶の違い</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Forked at</source>
        <translation>分岐点</translation>
    </message>
    <message>
        <source>Floors</source>
        <translation>フロア</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>フロア</translation>
    </message>
    <message>
        <source>Name of the branch</source>
        <translation>分岐の名前</translation>
    </message>
    <message>
        <source>Fork after this floor</source>
        <translation>このフロアの後で分岐させる</translation>
    </message>
    <message>
        <source>Roll back to this floor</source>
        <translation>このフロアまで巻き戻す</translation>
    </message>
    <message>
        <source>Deletes every later floor of this branch; one undo brings them back.</source>
        <translation>この分岐の以降のフロアをすべて削除します。一度の「元に戻す」で復元できます。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
    <message>
        <source>Use this name</source>
        <translation>この名前にする</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Both remember {n} events.</source>
        <translation>{n}件のイベントが共通です。</translation>
    </message>
    <message>
        <source>Both remember the same {n} events.</source>
        <translation>どちらも同じ{n}件のイベントを記憶しています。</translation>
    </message>
    <message>
        <source>Only on “{name}”: {n}</source>
        <translation>「{name}」のみ：{n}件</translation>
    </message>
</context>
<context>
    <name>BudgetMeter</name>
    <message>
        <source>Budget for the next reply: {used} of {size} tokens, {own} of this book</source>
        <translation>次の返信の予算：{used}/{size}トークン（うちこのワールドブック{own}）</translation>
    </message>
    <message>
        <source>Budget: constant entries take {used} of {size} tokens</source>
        <translation>予算：常時の項目で{used}/{size}トークンを使用</translation>
    </message>
    <message>
        <source>The constant entries alone need {constant} of {size} tokens: there is no room for triggered ones.</source>
        <translation>常時の項目だけで{constant}トークン必要ですが、予算は{size}トークンです。トリガーの項目が入る余地がありません。</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) fall out of the budget: {titles}</source>
        <translation>
            <numerusform>%n件の項目が予算に収まりません：{titles}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CardColumn</name>
    <message numerus="yes">
        <source>Show %n more</source>
        <translation>
            <numerusform>さらに%n件を表示</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CastCard</name>
    <message>
        <source>Cast</source>
        <translation>登場人物</translation>
    </message>
    <message>
        <source>Nobody has spoken yet.</source>
        <translation>まだ誰も発言していません。</translation>
    </message>
</context>
<context>
    <name>ChangelogDialog</name>
    <message>
        <source>What changed</source>
        <translation>更新内容</translation>
    </message>
    <message>
        <source>Changelog</source>
        <translation>更新履歴</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>読み込み中…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
</context>
<context>
    <name>CharacterList</name>
    <message>
        <source>Exporting a character card</source>
        <translation>キャラクターカードの書き出し</translation>
    </message>
    <message>
        <source>Removing a character</source>
        <translation>キャラクターの削除</translation>
    </message>
    <message>
        <source>The character “{name}” was deleted</source>
        <translation>キャラクター「{name}」を削除しました</translation>
    </message>
    <message>
        <source>Character card written to {file}</source>
        <translation>キャラクターカードを{file}に書き出しました</translation>
    </message>
</context>
<context>
    <name>CharacterTree</name>
    <message>
        <source>Chat</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>更新日時</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Characters and their chats</source>
        <translation>キャラクターとそのチャット</translation>
    </message>
    <message>
        <source>{name} (group)</source>
        <translation>{name}（グループ）</translation>
    </message>
    <message>
        <source>{name} (mute)</source>
        <translation>{name}（ミュート）</translation>
    </message>
    <message>
        <source>Character card</source>
        <translation>キャラクターカード</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n項目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s)</source>
        <translation>
            <numerusform>正規表現スクリプト%n件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CharactersDialog</name>
    <message>
        <source>Characters</source>
        <translation>キャラクター</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>削除…</translation>
    </message>
    <message>
        <source>Export as JSON…</source>
        <translation>JSONで書き出す…</translation>
    </message>
    <message>
        <source>Export as CHARX…</source>
        <translation>CHARXで書き出す…</translation>
    </message>
    <message>
        <source>Export as PNG…</source>
        <translation>PNGで書き出す…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>インポート…</translation>
    </message>
    <message>
        <source>Search characters</source>
        <translation>キャラクターを検索</translation>
    </message>
    <message>
        <source>No character yet. Import a card: PNG, JSON or CHARX.</source>
        <translation>キャラクターがまだありません。カード（PNG、JSON、CHARX）をインポートしてください。</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n項目</numerusform>
        </translation>
    </message>
    <message>
        <source>World book: {name} · {count}</source>
        <translation>ワールドブック：{name} · {count}</translation>
    </message>
    <message>
        <source>Regex scripts: {names}</source>
        <translation>正規表現スクリプト：{names}</translation>
    </message>
    <message>
        <source>No chat in the library.</source>
        <translation>ライブラリにチャットはありません。</translation>
    </message>
    <message>
        <source>Chats:</source>
        <translation>チャット：</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>説明</translation>
    </message>
    <message>
        <source>Personality</source>
        <translation>性格</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>シナリオ</translation>
    </message>
    <message>
        <source>First message</source>
        <translation>最初のメッセージ</translation>
    </message>
    <message>
        <source>Other first message {number}</source>
        <translation>別の最初のメッセージ {number}</translation>
    </message>
    <message>
        <source>First message in groups {number}</source>
        <translation>グループ用の最初のメッセージ {number}</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>会話例</translation>
    </message>
    <message>
        <source>Creator&apos;s notes</source>
        <translation>作者のメモ</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>システムプロンプト</translation>
    </message>
    <message>
        <source>After the chat</source>
        <translation>チャット履歴の後</translation>
    </message>
    <message>
        <source>Character&apos;s note</source>
        <translation>キャラクターノート</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出す</translation>
    </message>
    <message>
        <source>Character card (*{suffix})</source>
        <translation>キャラクターカード (*{suffix})</translation>
    </message>
    <message>
        <source>Remove the character</source>
        <translation>キャラクターを削除</translation>
    </message>
    <message>
        <source>Take “{name}” out of the library?</source>
        <translation>「{name}」をライブラリから削除しますか？</translation>
    </message>
    <message>
        <source>Its chats and their memory stay. Undo brings it back as it is.</source>
        <translation>チャットとその記憶は残ります。「元に戻す」でそのまま復元できます。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Remove its world book, too</source>
        <translation>ワールドブックも削除する</translation>
    </message>
    <message>
        <source>Remove its regex scripts, too</source>
        <translation>正規表現スクリプトも削除する</translation>
    </message>
    <message>
        <source>Remove its world book and regex scripts, too</source>
        <translation>ワールドブックと正規表現スクリプトも削除する</translation>
    </message>
</context>
<context>
    <name>ChatExport</name>
    <message>
        <source>Exporting</source>
        <translation>書き出し</translation>
    </message>
    <message>
        <source>Exporting what %1 knows</source>
        <translation>%1が知っていることの書き出し</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) exported</source>
        <translation>
            <numerusform>イベントを%n件書き出しました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>World book of %n entry(ies) written</source>
        <translation>
            <numerusform>%n項目のワールドブックを書き出しました</numerusform>
        </translation>
    </message>
    <message>
        <source>Put the file into SillyTavern&apos;s “worlds” folder, or import it on its World Info page.</source>
        <translation>ファイルをSillyTavernの「worlds」フォルダに置くか、ワールド情報のページでインポートしてください。</translation>
    </message>
</context>
<context>
    <name>ChatTree</name>
    <message>
        <source>Renaming the chat</source>
        <translation>チャット名の変更</translation>
    </message>
    <message>
        <source>The chat is called “{name}” now</source>
        <translation>チャット名を「{name}」に変更しました</translation>
    </message>
    <message>
        <source>Cannot be opened</source>
        <translation>開けません</translation>
    </message>
    <message numerus="yes">
        <source>%n floor(s)</source>
        <translation>
            <numerusform>%nフロア</numerusform>
        </translation>
    </message>
    <message>
        <source>{floors} · no summary</source>
        <translation>{floors} · 未要約</translation>
    </message>
    <message>
        <source>{floors} · buffer {buffer}</source>
        <translation>{floors} · バッファ {buffer}</translation>
    </message>
</context>
<context>
    <name>ChatView</name>
    <message>
        <source>floor {floor}</source>
        <translation>フロア{floor}</translation>
    </message>
    <message>
        <source>hidden from the prompt</source>
        <translation>プロンプトから除外</translation>
    </message>
    <message>
        <source>Show more of it</source>
        <translation>続きを表示</translation>
    </message>
    <message>
        <source>The reading before this one</source>
        <translation>前の返答</translation>
    </message>
    <message>
        <source>The next reading</source>
        <translation>次の返答</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>考え中…</translation>
    </message>
    <message>
        <source>Show thoughts and panels</source>
        <translation>思考とパネルを表示</translation>
    </message>
    <message>
        <source>Hide thoughts and panels</source>
        <translation>思考とパネルを隠す</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>メッセージ</translation>
    </message>
</context>
<context>
    <name>CommandFinder</name>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>All commands</source>
        <translation>すべてのコマンド</translation>
    </message>
    <message>
        <source>No command matches</source>
        <translation>該当するコマンドはありません</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Search everything</source>
        <translation>すべてを検索</translation>
    </message>
    <message>
        <source>All commands</source>
        <translation>すべてのコマンド</translation>
    </message>
    <message>
        <source>Go to a chat, branch or entity</source>
        <translation>チャット・分岐・エンティティへ移動</translation>
    </message>
    <message>
        <source>Search this page</source>
        <translation>このページ内を検索</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>インポート…</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>やり直す</translation>
    </message>
    <message>
        <source>History…</source>
        <translation>履歴…</translation>
    </message>
    <message>
        <source>Save what is being typed</source>
        <translation>入力中の内容を保存</translation>
    </message>
    <message>
        <source>Edit or rename</source>
        <translation>編集・名前の変更</translation>
    </message>
    <message>
        <source>Who was there: events and persons</source>
        <translation>誰が居合わせたか：イベントと人物</translation>
    </message>
    <message>
        <source>Days of the story</source>
        <translation>物語の日々</translation>
    </message>
    <message>
        <source>Show or hide the panel beside the page</source>
        <translation>サイドパネルの表示切り替え</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Keys…</source>
        <translation>ショートカットキー…</translation>
    </message>
    <message>
        <source>First steps…</source>
        <translation>はじめに…</translation>
    </message>
    <message>
        <source>Help: the guide</source>
        <translation>ヘルプ：ガイド</translation>
    </message>
    <message>
        <source>About Engram</source>
        <translation>Engramについて</translation>
    </message>
    <message>
        <source>Restart in safe mode, or leave it</source>
        <translation>セーフモードで再起動、またはセーフモードを終了</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全画面表示</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>Scripts and prompts</source>
        <translation>スクリプトとプロンプト</translation>
    </message>
    <message>
        <source>What models cost</source>
        <translation>モデルの費用</translation>
    </message>
    <message>
        <source>Requests to models</source>
        <translation>モデルへのリクエスト</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>更新内容</translation>
    </message>
    <message>
        <source>Third-party notices</source>
        <translation>サードパーティに関する表示</translation>
    </message>
    <message>
        <source>SillyTavern folder</source>
        <translation>SillyTavernフォルダ</translation>
    </message>
    <message>
        <source>Library health</source>
        <translation>ライブラリの点検</translation>
    </message>
    <message>
        <source>Bring a backup back…</source>
        <translation>バックアップから復元…</translation>
    </message>
    <message>
        <source>Characters</source>
        <translation>キャラクター</translation>
    </message>
    <message>
        <source>Volumes: go on in a new chat…</source>
        <translation>巻：新しいチャットで続ける…</translation>
    </message>
    <message>
        <source>Deleted chats</source>
        <translation>削除したチャット</translation>
    </message>
    <message>
        <source>Begin a chat…</source>
        <translation>チャットを始める…</translation>
    </message>
    <message>
        <source>What was said</source>
        <translation>発言の記録</translation>
    </message>
    <message>
        <source>Consolidate memory…</source>
        <translation>記憶を整理…</translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation>要約する…</translation>
    </message>
    <message>
        <source>Trim: merge old events into outlines</source>
        <translation>スリム化：古いイベントをあらすじにまとめる</translation>
    </message>
    <message>
        <source>Look through drafts…</source>
        <translation>下書きを確認…</translation>
    </message>
    <message>
        <source>What could not be summarised</source>
        <translation>要約できなかった部分</translation>
    </message>
    <message>
        <source>Branches: fork, compare, roll back…</source>
        <translation>分岐：作成・比較・巻き戻し…</translation>
    </message>
    <message>
        <source>Write an event or a fact…</source>
        <translation>イベントまたは事実を書く…</translation>
    </message>
    <message>
        <source>Deleted events…</source>
        <translation>削除したイベント…</translation>
    </message>
    <message>
        <source>Find and replace in events…</source>
        <translation>イベント内の検索と置換…</translation>
    </message>
    <message>
        <source>Events that say the same…</source>
        <translation>内容が重複するイベント…</translation>
    </message>
    <message>
        <source>Write a private log…</source>
        <translation>個人の記録を書く…</translation>
    </message>
    <message>
        <source>Look back…</source>
        <translation>振り返る…</translation>
    </message>
    <message>
        <source>Set a value of the state…</source>
        <translation>状態の値を設定…</translation>
    </message>
    <message>
        <source>What only some know</source>
        <translation>一部の人だけが知ること</translation>
    </message>
    <message>
        <source>Groups: who is of them, and when…</source>
        <translation>グループ：誰がいつ属するか…</translation>
    </message>
    <message>
        <source>Markdown folder of this chat…</source>
        <translation>このチャットのMarkdownフォルダ…</translation>
    </message>
    <message>
        <source>Export this chat&apos;s memory…</source>
        <translation>このチャットの記憶を書き出す…</translation>
    </message>
    <message>
        <source>Rename this chat…</source>
        <translation>このチャットの名前を変更…</translation>
    </message>
    <message>
        <source>Page: {name}</source>
        <translation>ページ：{name}</translation>
    </message>
</context>
<context>
    <name>CompletionPage</name>
    <message>
        <source>The chat as SillyTavern would write it for a text completion model: by its story string, instruct template and system prompt. World info and notes among the messages are not in it.</source>
        <translation>SillyTavernがテキスト補完モデル向けに組み立てる形のチャットです。ストーリー文字列、指示テンプレート、システムプロンプトに従います。ワールド情報や、メッセージ間に挿入されるノートは含みません。</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>プロンプト</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>What you say</source>
        <translation>あなたの発言</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter begins a line.</source>
        <translation>Enterで送信、Shift+Enterで改行します。</translation>
    </message>
    <message>
        <source>Who replies</source>
        <translation>返信する人</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自動</translation>
    </message>
    <message>
        <source>The turn is taken for what it looks like.</source>
        <translation>ターンの内容から自動で判断します。</translation>
    </message>
    <message>
        <source>What you say next in this scene</source>
        <translation>この場面での次のセリフ</translation>
    </message>
    <message>
        <source>Continue the reply</source>
        <translation>返信の続きを書く</translation>
    </message>
    <message>
        <source>Another reply</source>
        <translation>別の返答</translation>
    </message>
    <message>
        <source>Whose turn it is: {name}</source>
        <translation>次の番：{name}</translation>
    </message>
    <message>
        <source>Whose turn it is</source>
        <translation>次の番</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>送信</translation>
    </message>
    <message>
        <source>Reply</source>
        <translation>返信</translation>
    </message>
    <message>
        <source>Say something to {name}…</source>
        <translation>{name}に話しかける…</translation>
    </message>
    <message>
        <source>Say something…</source>
        <translation>話しかける…</translation>
    </message>
</context>
<context>
    <name>ConditionField</name>
    <message>
        <source>For example: Alice.affection &gt; 90</source>
        <translation>例：アリス.好感度 &gt; 90</translation>
    </message>
    <message>
        <source>Only while this holds</source>
        <translation>この条件が成り立つ間だけ</translation>
    </message>
    <message>
        <source>No character may know it: {reason}.</source>
        <translation>どの人物も知ることはできません：{reason}。</translation>
    </message>
    <message>
        <source>It depends on who asks.</source>
        <translation>誰が尋ねるかによります。</translation>
    </message>
    <message>
        <source>It does not hold now: no character may know it.</source>
        <translation>今は成り立ちません：どの人物も知ることはできません。</translation>
    </message>
    <message>
        <source>It holds now: everybody may know it.</source>
        <translation>今は成り立ちます：誰でも知ることができます。</translation>
    </message>
    <message>
        <source>It holds now.</source>
        <translation>今は成り立ちます。</translation>
    </message>
</context>
<context>
    <name>Conflict</name>
    <message>
        <source>Floors that differ: {floors}</source>
        <translation>内容が異なるフロア：{floors}</translation>
    </message>
    <message>
        <source>Floors it does not have: {floors}</source>
        <translation>含まれていないフロア：{floors}</translation>
    </message>
    <message>
        <source>The chat is now the same as the copy; undo brings those floors back.</source>
        <translation>チャットはこのコピーの内容になりました。元に戻すと、これらのフロアも戻ります。</translation>
    </message>
    <message>
        <source>The copy was left out.</source>
        <translation>このコピーはインポートしませんでした。</translation>
    </message>
    <message>
        <source>The chat goes on with the copy; a branch keeps those floors as they were.</source>
        <translation>チャットはこのコピーで続きます。これらのフロアは元のまま分岐に残ります。</translation>
    </message>
    <message>
        <source>The chat stays as it was; the copy is a branch of it.</source>
        <translation>チャットは元のままです。コピーの内容は分岐になりました。</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>ほか{count}フロア</translation>
    </message>
</context>
<context>
    <name>ConsolidateDialog</name>
    <message>
        <source>Consolidate memory</source>
        <translation>記憶を整理</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>計算中…</translation>
    </message>
    <message>
        <source>Archived events leave the prompt: outlines still cover them, and they come back word for word when they are recalled. One undo takes all of it back.</source>
        <translation>アーカイブしたイベントはプロンプトから外れます。内容はあらすじに引き継がれ、想起されると原文のまま戻ります。一度の「元に戻す」ですべて取り消せます。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Consolidate</source>
        <translation>記憶を整理</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) will be embedded, linked into the graph and archived.</source>
        <translation>
            <numerusform>%n件のイベントを埋め込み、グラフに結び付けてアーカイブします。</numerusform>
        </translation>
    </message>
    <message>
        <source>There is nothing to archive: a summary puts new events into the buffer.</source>
        <translation>アーカイブするものはありません。要約すると、新しいイベントがバッファに入ります。</translation>
    </message>
    <message>
        <source>About {tokens} tokens, embedded by {embedder}.</source>
        <translation>約{tokens}トークン、埋め込みは{embedder}。</translation>
    </message>
    <message numerus="yes">
        <source>%n locked event(s) stay in the buffer.</source>
        <translation>
            <numerusform>ロック中の%n件はバッファに残ります。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CoverageBar</name>
    <message>
        <source>Coverage: which floors have become memory</source>
        <translation>記憶済みの範囲：どのフロアが記憶になったか</translation>
    </message>
    <message>
        <source>{count} × {state}</source>
        <translation>{count}フロア：{state}</translation>
    </message>
    <message>
        <source>{done} of {all} floors have become memory</source>
        <translation>全{all}フロア中{done}フロアが記憶済み</translation>
    </message>
    <message>
        <source>Floor {floor}: {state}</source>
        <translation>フロア{floor}：{state}</translation>
    </message>
    <message>
        <source>Drag over floors to summarise them, or to make them again.</source>
        <translation>フロアをドラッグして選ぶと、要約や作り直しができます。</translation>
    </message>
    <message>
        <source>archived</source>
        <translation>アーカイブ済み</translation>
    </message>
    <message>
        <source>in the buffer</source>
        <translation>バッファ内</translation>
    </message>
    <message>
        <source>stale: its messages were changed</source>
        <translation>要更新：元のメッセージが変わりました</translation>
    </message>
    <message>
        <source>summarised, nothing worth an event</source>
        <translation>要約済み（記録すべきイベントなし）</translation>
    </message>
    <message>
        <source>waiting for your review</source>
        <translation>確認待ち</translation>
    </message>
    <message>
        <source>failed: the answer could not be read</source>
        <translation>失敗：応答を読み取れませんでした</translation>
    </message>
    <message>
        <source>not yet summarised</source>
        <translation>未要約</translation>
    </message>
</context>
<context>
    <name>CurveSection</name>
    <message>
        <source>How it changed</source>
        <translation>変化の推移</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>now {now}, {change} since floor {floor}</source>
        <translation>現在{now}（フロア{floor}から{change}）</translation>
    </message>
</context>
<context>
    <name>DayEvents</name>
    <message>
        <source>Events of the day</source>
        <translation>その日のイベント</translation>
    </message>
</context>
<context>
    <name>DayPage</name>
    <message>
        <source>Days of the story</source>
        <translation>物語の日々</translation>
    </message>
    <message numerus="yes">
        <source>{day} · %n event(s)</source>
        <translation>
            <numerusform>{day} · イベント%n件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DescriptionSection</name>
    <message>
        <source>In the story&apos;s words</source>
        <translation>本文より</translation>
    </message>
    <message>
        <source>floor {floor}</source>
        <translation>フロア{floor}</translation>
    </message>
    <message>
        <source>not true</source>
        <translation>事実ではない</translation>
    </message>
    <message>
        <source>until floor {floor}</source>
        <translation>フロア{floor}まで</translation>
    </message>
    <message>
        <source>Narration</source>
        <translation>地の文</translation>
    </message>
</context>
<context>
    <name>Desktop</name>
    <message>
        <source>Updating the index</source>
        <translation>索引の更新</translation>
    </message>
    <message>
        <source>From the next start on, everything is drawn at {percent} %.</source>
        <translation>次回の起動から、表示倍率が{percent}%になります。</translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>Rename the chat</source>
        <translation>チャットの名前を変更</translation>
    </message>
</context>
<context>
    <name>DropSign</name>
    <message>
        <source>Drop to import</source>
        <translation>ドロップしてインポート</translation>
    </message>
    <message>
        <source>Chats, cards, world books, backups, or a SillyTavern folder. You see what is in them first, and the files stay as they are.</source>
        <translation>チャット、カード、ワールドブック、バックアップ、SillyTavernフォルダ。まず内容が表示され、元のファイルは変更されません。</translation>
    </message>
</context>
<context>
    <name>DuplicatesDialog</name>
    <message>
        <source>Events that say the same</source>
        <translation>内容が重複するイベント</translation>
    </message>
    <message>
        <source>Found by their words and floors; no model is asked. Everything done here can be undone.</source>
        <translation>文言とフロアから検出します。モデルは使いません。ここでの操作はすべて元に戻せます。</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>比較中…</translation>
    </message>
    <message>
        <source>Keep this one, delete the others</source>
        <translation>これを残し、ほかを削除</translation>
    </message>
    <message>
        <source>Join into one</source>
        <translation>1つにまとめる</translation>
    </message>
    <message>
        <source>Not the same</source>
        <translation>同じではない</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message numerus="yes">
        <source>%n group(s); the surest are shown.</source>
        <translation>
            <numerusform>%nグループ。確度の高いものを表示しています。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s)</source>
        <translation>
            <numerusform>%nグループ</numerusform>
        </translation>
    </message>
    <message>
        <source>No two events say the same.</source>
        <translation>内容が重複するイベントはありません。</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>イベント%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>{events} · the same words</source>
        <translation>{events} · 同じ文言</translation>
    </message>
    <message>
        <source>{events} · floors overlap, {share} % of the words are alike</source>
        <translation>{events} · フロアが重複、文言の{share}%が類似</translation>
    </message>
</context>
<context>
    <name>EditorPanel</name>
    <message>
        <source>Nothing selected</source>
        <translation>未選択</translation>
    </message>
    <message>
        <source>Select an event to read and correct it. Click its lamp to archive it.</source>
        <translation>イベントを選ぶと、内容を読んで修正できます。ランプをクリックするとアーカイブします。</translation>
    </message>
    <message>
        <source>Confirm</source>
        <translation>確認済みにする</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>ロック</translation>
    </message>
    <message>
        <source>Show its lines in the text</source>
        <translation>原文の該当箇所を表示</translation>
    </message>
    <message>
        <source>Delete this event</source>
        <translation>このイベントを削除</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>カード</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>フィールド</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>出典</translation>
    </message>
    <message>
        <source>History</source>
        <translation>履歴</translation>
    </message>
    <message>
        <source>As a model reads it</source>
        <translation>モデルから見た形</translation>
    </message>
    <message>
        <source>Raw JSON</source>
        <translation>JSONの原文</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>適用</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) in a prompt</source>
        <translation>
            <numerusform>プロンプトで%nトークン</numerusform>
        </translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>事実</translation>
    </message>
    <message>
        <source>Outline {level}</source>
        <translation>あらすじ {level}</translation>
    </message>
    <message>
        <source>Archived event</source>
        <translation>アーカイブ済みイベント</translation>
    </message>
    <message>
        <source>Buffered event</source>
        <translation>バッファ内のイベント</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>緑</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>青</translation>
    </message>
    <message>
        <source>Confirmed by you. Click to take that back</source>
        <translation>確認済みです。クリックで取り消します</translation>
    </message>
    <message>
        <source>Confirm: this memory is right</source>
        <translation>確認済みにする：この記憶は正しい</translation>
    </message>
    <message>
        <source>Unlock: automation may change it again</source>
        <translation>ロック解除：自動処理による変更を許可します</translation>
    </message>
    <message>
        <source>Lock: no automation may change it</source>
        <translation>ロック：自動処理では変更されません</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>保存しました</translation>
    </message>
    <message>
        <source>{name} · floor {floor}</source>
        <translation>{name} · フロア{floor}</translation>
    </message>
    <message>
        <source>Its messages are gone.</source>
        <translation>元のメッセージはもうありません。</translation>
    </message>
</context>
<context>
    <name>EndDialog</name>
    <message>
        <source>At which floor did this end?</source>
        <translation>この関係はどのフロアで終わりましたか？</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>フロア</translation>
    </message>
    <message>
        <source>It stays visible as what was before.</source>
        <translation>「以前の事柄」として引き続き表示されます。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>It ended here</source>
        <translation>ここで終わった</translation>
    </message>
</context>
<context>
    <name>EndpointFields</name>
    <message>
        <source>Saving a key</source>
        <translation>APIキーの保存</translation>
    </message>
    <message>
        <source>No model is chosen. Press “List models”, or type its name.</source>
        <translation>モデルが選ばれていません。「モデル一覧を取得」を押すか、モデル名を入力してください。</translation>
    </message>
    <message>
        <source>{model} at {url} answered in {ms} ms.</source>
        <translation>{url}の{model}が{ms}ミリ秒で応答しました。</translation>
    </message>
    <message numerus="yes">
        <source>Vectors have %n dimension(s).</source>
        <translation>
            <numerusform>ベクトルは%n次元です。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EndpointForm</name>
    <message>
        <source>Test the connection</source>
        <translation>接続テスト</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Reads the chat and writes the events. Without it they are extracted.</source>
        <translation>チャットを読み、イベントを書きます。未設定の場合は抽出によって作成します。</translation>
    </message>
    <message>
        <source>Turns memories into vectors. Without it the built-in embedder does.</source>
        <translation>記憶をベクトルに変換します。未設定の場合は内蔵の埋め込みを使います。</translation>
    </message>
    <message>
        <source>Optional: puts recalled memories into a better order.</source>
        <translation>任意：想起された記憶をより適切な順に並べ替えます。</translation>
    </message>
    <message>
        <source>Choose a preset…</source>
        <translation>プリセットを選択…</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>プリセット</translation>
    </message>
    <message>
        <source>Base URL</source>
        <translation>ベースURL</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>APIキー</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>List models</source>
        <translation>モデル一覧を取得</translation>
    </message>
    <message>
        <source>Requests go to {url}</source>
        <translation>リクエストの送信先：{url}</translation>
    </message>
    <message>
        <source>Empty: nothing is sent anywhere.</source>
        <translation>空欄：どこにも何も送信しません。</translation>
    </message>
    <message>
        <source>A key is stored in: {where}. Type to replace it.</source>
        <translation>APIキーの保存場所：{where}。入力すると置き換わります。</translation>
    </message>
    <message>
        <source>It will be kept in: {where}. Local servers need none.</source>
        <translation>保存先：{where}。ローカルサーバーではAPIキーは不要です。</translation>
    </message>
    <message>
        <source>It answered.</source>
        <translation>応答がありました。</translation>
    </message>
    <message>
        <source>It does not work yet.</source>
        <translation>まだ接続できません。</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) offered</source>
        <translation>
            <numerusform>利用できるモデル：%n件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntityEditor</name>
    <message>
        <source>“{name}” was merged.</source>
        <translation>「{name}」を統合しました。</translation>
    </message>
    <message>
        <source>Editing an entity</source>
        <translation>エンティティの編集</translation>
    </message>
</context>
<context>
    <name>EntityFields</name>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Other names</source>
        <translation>別名</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>プロフィール</translation>
    </message>
    <message>
        <source>Edit as text</source>
        <translation>テキストとして編集</translation>
    </message>
    <message>
        <source>One fact a line, for example “home: the tavern”</source>
        <translation>1行に1つ。例：「住まい: 酒場」</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>ロック</translation>
    </message>
    <message>
        <source>More</source>
        <translation>その他</translation>
    </message>
    <message>
        <source>Show all of it large</source>
        <translation>全体を大きく表示</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>イベント%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>ロック解除</translation>
    </message>
    <message>
        <source>Locked: nothing changes it by itself</source>
        <translation>ロック中：自動では変更されません</translation>
    </message>
    <message>
        <source>Lock: nothing may change it by itself</source>
        <translation>ロック：自動で変更されないようにします</translation>
    </message>
    <message>
        <source>Merge into…</source>
        <translation>統合先を選ぶ…</translation>
    </message>
    <message>
        <source>Split off</source>
        <translation>別名を切り離す</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>これを知っている人…</translation>
    </message>
    <message>
        <source>Hide from the graph</source>
        <translation>グラフに表示しない</translation>
    </message>
</context>
<context>
    <name>EntityMatches</name>
    <message>
        <source>Matches</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>No entity has this name</source>
        <translation>この名前のエンティティはありません</translation>
    </message>
</context>
<context>
    <name>EntityPanel</name>
    <message>
        <source>No entity selected</source>
        <translation>エンティティ未選択</translation>
    </message>
    <message>
        <source>Click a node to see what is known of it. Double-click shows it large.</source>
        <translation>ノードをクリックすると分かっていることを表示し、ダブルクリックすると大きく表示します。</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>関係</translation>
    </message>
</context>
<context>
    <name>EntryForm</name>
    <message>
        <source>Place in the prompt</source>
        <translation>プロンプト内の位置</translation>
    </message>
    <message>
        <source>Chance and time</source>
        <translation>確率と時間</translation>
    </message>
    <message>
        <source>What is scanned</source>
        <translation>スキャン対象</translation>
    </message>
    <message>
        <source>Entries that mention others</source>
        <translation>再帰</translation>
    </message>
    <message>
        <source>Inclusion group</source>
        <translation>包含グループ</translation>
    </message>
    <message>
        <source>For whom and for which replies</source>
        <translation>対象キャラクターと返信の種類</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Depth, in messages</source>
        <translation>深度（メッセージ数）</translation>
    </message>
    <message>
        <source>System</source>
        <translation>システム</translation>
    </message>
    <message>
        <source>User</source>
        <translation>ユーザー</translation>
    </message>
    <message>
        <source>Character</source>
        <translation>キャラクター</translation>
    </message>
    <message>
        <source>Spoken by, at a depth</source>
        <translation>深度指定時の役割</translation>
    </message>
    <message>
        <source>Name of the outlet</source>
        <translation>アウトレット名</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>順序</translation>
    </message>
    <message>
        <source>Not limited by the budget</source>
        <translation>予算の制限を受けない</translation>
    </message>
    <message>
        <source>Probability, in percent</source>
        <translation>確率（%）</translation>
    </message>
    <message>
        <source>Sticky, for messages</source>
        <translation>持続（メッセージ数）</translation>
    </message>
    <message>
        <source>Cooldown, in messages</source>
        <translation>クールダウン（メッセージ数）</translation>
    </message>
    <message>
        <source>Delay, in messages</source>
        <translation>遅延（メッセージ数）</translation>
    </message>
    <message>
        <source>Probability counts</source>
        <translation>確率を使う</translation>
    </message>
    <message>
        <source>As in the settings</source>
        <translation>設定に従う</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>はい</translation>
    </message>
    <message>
        <source>No</source>
        <translation>いいえ</translation>
    </message>
    <message>
        <source>Messages scanned</source>
        <translation>スキャンするメッセージ数</translation>
    </message>
    <message>
        <source>Case-sensitive</source>
        <translation>大文字と小文字を区別</translation>
    </message>
    <message>
        <source>Whole words only</source>
        <translation>単語単位で一致</translation>
    </message>
    <message>
        <source>Secondary keywords</source>
        <translation>副キーワード</translation>
    </message>
    <message>
        <source>Secondary keywords count</source>
        <translation>副キーワードを使う</translation>
    </message>
    <message>
        <source>Look for its keywords here, too:</source>
        <translation>次の内容からもキーワードを探す：</translation>
    </message>
    <message>
        <source>Waits for round of scanning</source>
        <translation>有効になる再帰の段階</translation>
    </message>
    <message>
        <source>Other entries cannot set it off</source>
        <translation>ほかの項目からは起動しない</translation>
    </message>
    <message>
        <source>It sets off no other entries</source>
        <translation>ほかの項目を起動しない</translation>
    </message>
    <message>
        <source>Names, with commas</source>
        <translation>グループ名（カンマ区切り）</translation>
    </message>
    <message>
        <source>Weight in the group</source>
        <translation>グループ内の重み</translation>
    </message>
    <message>
        <source>Most keywords win</source>
        <translation>一致キーワード数が多いものを優先</translation>
    </message>
    <message>
        <source>Goes first in its group</source>
        <translation>グループ内で最優先</translation>
    </message>
    <message>
        <source>Automation ID</source>
        <translation>自動化ID</translation>
    </message>
    <message>
        <source>SillyTavern runs its quick reply of this ID when the entry fires.</source>
        <translation>項目が発動すると、SillyTavernがこのIDのクイック返信を実行します。</translation>
    </message>
    <message>
        <source>Characters, by card file</source>
        <translation>キャラクター（カードのファイル名）</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>タグ</translation>
    </message>
    <message>
        <source>For all but these</source>
        <translation>上記以外のすべて</translation>
    </message>
    <message>
        <source>Only for these replies; none ticked is all:</source>
        <translation>次の返信でのみ使用（未選択はすべて）：</translation>
    </message>
    <message>
        <source>They differ</source>
        <translation>値が異なります</translation>
    </message>
    <message>
        <source>Before the character</source>
        <translation>キャラクター定義の前</translation>
    </message>
    <message>
        <source>After the character</source>
        <translation>キャラクター定義の後</translation>
    </message>
    <message>
        <source>Before the example messages</source>
        <translation>会話例の前</translation>
    </message>
    <message>
        <source>After the example messages</source>
        <translation>会話例の後</translation>
    </message>
    <message>
        <source>Before the author&apos;s note</source>
        <translation>作者ノートの前</translation>
    </message>
    <message>
        <source>After the author&apos;s note</source>
        <translation>作者ノートの後</translation>
    </message>
    <message>
        <source>Among the messages, at a depth</source>
        <translation>メッセージ間の指定した深度</translation>
    </message>
    <message>
        <source>Outlet: where {{outlet::name}} stands</source>
        <translation>アウトレット：{{outlet::name}}の位置</translation>
    </message>
    <message>
        <source>and any of the secondary ones</source>
        <translation>かつ副キーワードのいずれか</translation>
    </message>
    <message>
        <source>and all of the secondary ones</source>
        <translation>かつ副キーワードのすべて</translation>
    </message>
    <message>
        <source>and none of the secondary ones</source>
        <translation>かつ副キーワードを1つも含まない</translation>
    </message>
    <message>
        <source>and not all of the secondary ones</source>
        <translation>かつ副キーワードがすべては揃わない</translation>
    </message>
    <message>
        <source>Who the player is</source>
        <translation>プレイヤーの設定</translation>
    </message>
    <message>
        <source>The character&apos;s description</source>
        <translation>キャラクターの説明</translation>
    </message>
    <message>
        <source>The character&apos;s personality</source>
        <translation>キャラクターの性格</translation>
    </message>
    <message>
        <source>The character&apos;s note</source>
        <translation>キャラクターノート</translation>
    </message>
    <message>
        <source>The scenario</source>
        <translation>シナリオ</translation>
    </message>
    <message>
        <source>The creator&apos;s notes</source>
        <translation>作者のメモ</translation>
    </message>
    <message>
        <source>An ordinary reply</source>
        <translation>通常の返信</translation>
    </message>
    <message>
        <source>One that is continued</source>
        <translation>続きの生成</translation>
    </message>
    <message>
        <source>One written for the player</source>
        <translation>プレイヤーの代筆</translation>
    </message>
    <message>
        <source>Another swipe</source>
        <translation>別の返答</translation>
    </message>
    <message>
        <source>One made again</source>
        <translation>再生成</translation>
    </message>
    <message>
        <source>A quiet request</source>
        <translation>バックグラウンドのリクエスト</translation>
    </message>
</context>
<context>
    <name>EntryMenu</name>
    <message>
        <source>Switch all of it on</source>
        <translation>すべて有効にする</translation>
    </message>
    <message>
        <source>Switch all of it off</source>
        <translation>すべて無効にする</translation>
    </message>
    <message>
        <source>Rename the heading…</source>
        <translation>見出しの名前を変更…</translation>
    </message>
    <message>
        <source>Take the heading away, keep its entries</source>
        <translation>見出しを外す（項目は残す）</translation>
    </message>
    <message>
        <source>Edit in a large window…</source>
        <translation>大きなウィンドウで編集…</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>モード</translation>
    </message>
    <message>
        <source>Put under a heading</source>
        <translation>見出しの下に入れる</translation>
    </message>
    <message>
        <source>New heading…</source>
        <translation>新しい見出し…</translation>
    </message>
    <message>
        <source>None</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Move to another world book</source>
        <translation>別のワールドブックへ移動</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
</context>
<context>
    <name>EntryTable</name>
    <message>
        <source>Constant</source>
        <translation>常時</translation>
    </message>
    <message>
        <source>Triggered</source>
        <translation>トリガー</translation>
    </message>
    <message>
        <source>Vectorized</source>
        <translation>ベクトル</translation>
    </message>
    <message>
        <source>Disabled</source>
        <translation>無効</translation>
    </message>
    <message>
        <source>As in the file</source>
        <translation>ファイル内の順</translation>
    </message>
    <message>
        <source>By title</source>
        <translation>タイトル順</translation>
    </message>
    <message>
        <source>By tokens</source>
        <translation>トークン数順</translation>
    </message>
    <message>
        <source>By depth</source>
        <translation>深度順</translation>
    </message>
    <message>
        <source>By order</source>
        <translation>順序の値順</translation>
    </message>
    <message>
        <source>By number</source>
        <translation>番号順</translation>
    </message>
    <message>
        <source>{heading} · {on} of {count} on · {tokens} tokens</source>
        <translation>{heading} · 有効{on}/{count} · {tokens}トークン</translation>
    </message>
    <message>
        <source>Click to fold or unfold; right-click to switch all of it on or off</source>
        <translation>クリックで折りたたみ・展開、右クリックでまとめて有効化・無効化</translation>
    </message>
    <message>
        <source>Fires: {reason}</source>
        <translation>発動：{reason}</translation>
    </message>
    <message>
        <source>Silent: {reason}</source>
        <translation>発動なし：{reason}</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>項目</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>モード</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>キーワード</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>順序</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>トークン</translation>
    </message>
    <message>
        <source>In this chat now</source>
        <translation>現在のチャットで</translation>
    </message>
</context>
<context>
    <name>EventBinList</name>
    <message numerus="yes">
        <source>Bringing %n event(s) back</source>
        <translation>
            <numerusform>イベント%n件の復元</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventCard</name>
    <message>
        <source>Outline {level}</source>
        <translation>あらすじ {level}</translation>
    </message>
    <message>
        <source>Stale</source>
        <translation>要更新</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>事実</translation>
    </message>
</context>
<context>
    <name>EventCommands</name>
    <message>
        <source>Archive</source>
        <translation>アーカイブ</translation>
    </message>
    <message>
        <source>Move back to the buffer</source>
        <translation>バッファに戻す</translation>
    </message>
    <message>
        <source>Confirm: this is right</source>
        <translation>確認済みにする：内容は正しい</translation>
    </message>
    <message>
        <source>No longer confirmed</source>
        <translation>確認済みを取り消す</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>ロック</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>ロック解除</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>編集</translation>
    </message>
    <message>
        <source>Read its messages</source>
        <translation>元のメッセージを読む</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>これを知っている人…</translation>
    </message>
    <message>
        <source>Summarise these floors again…</source>
        <translation>これらのフロアを要約し直す…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Join into one</source>
        <translation>1つにまとめる</translation>
    </message>
    <message>
        <source>Split in two…</source>
        <translation>2つに分割…</translation>
    </message>
    <message>
        <source>Take the outline apart</source>
        <translation>あらすじを分解</translation>
    </message>
</context>
<context>
    <name>EventDuplicates</name>
    <message numerus="yes">
        <source>Deleting %n duplicate(s)</source>
        <translation>
            <numerusform>重複%n件の削除</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Joining %n event(s)</source>
        <translation>
            <numerusform>イベント%n件の結合</numerusform>
        </translation>
    </message>
    <message>
        <source>Keeping events apart</source>
        <translation>重複ではないものとして記録</translation>
    </message>
</context>
<context>
    <name>EventEditor</name>
    <message>
        <source>Saving the event</source>
        <translation>イベントの保存</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試行</translation>
    </message>
    <message>
        <source>Nothing was overwritten. Which of the two is to stand?</source>
        <translation>何も上書きされていません。どちらを残しますか？</translation>
    </message>
    <message>
        <source>What I wrote</source>
        <translation>自分が書いたもの</translation>
    </message>
    <message>
        <source>The other</source>
        <translation>もう一方</translation>
    </message>
</context>
<context>
    <name>EventFields</name>
    <message>
        <source>Summary</source>
        <translation>要約</translation>
    </message>
    <message>
        <source>Story time</source>
        <translation>作中時間</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>キーワード</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>Only while this holds</source>
        <translation>この条件が成り立つ間だけ</translation>
    </message>
    <message>
        <source>Significance</source>
        <translation>重要度</translation>
    </message>
    <message>
        <source>Entities and relations</source>
        <translation>エンティティと関係</translation>
    </message>
    <message>
        <source>Structured fields</source>
        <translation>構造化フィールド</translation>
    </message>
    <message>
        <source>Roles</source>
        <translation>役割</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>Logic</source>
        <translation>論理</translation>
    </message>
    <message>
        <source>Causality</source>
        <translation>因果</translation>
    </message>
    <message>
        <source>None named</source>
        <translation>記載なし</translation>
    </message>
</context>
<context>
    <name>EventForm</name>
    <message>
        <source>What happened</source>
        <translation>起きたこと</translation>
    </message>
    <message>
        <source>No event was recorded. Write what happened to record one.</source>
        <translation>イベントは記録されていません。起きたことを書くと記録されます。</translation>
    </message>
    <message>
        <source>Who took part</source>
        <translation>関わった人</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>Save the event</source>
        <translation>イベントを保存</translation>
    </message>
    <message>
        <source>It was no event</source>
        <translation>イベントではない</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>表示</translation>
    </message>
    <message>
        <source>Flags set: {flags}</source>
        <translation>立ったフラグ：{flags}</translation>
    </message>
</context>
<context>
    <name>EventHistory</name>
    <message>
        <source>Going back to a version</source>
        <translation>以前のバージョンの復元</translation>
    </message>
    <message>
        <source>Before the oldest step that is kept</source>
        <translation>保持している最古の操作より前</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>要約</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>Story time</source>
        <translation>作中時間</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>キーワード</translation>
    </message>
    <message>
        <source>Entities</source>
        <translation>エンティティ</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>関係</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>削除済み</translation>
    </message>
    <message>
        <source>green</source>
        <translation>緑</translation>
    </message>
    <message>
        <source>blue</source>
        <translation>青</translation>
    </message>
    <message>
        <source>locked</source>
        <translation>ロック</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>要更新</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Significance</source>
        <translation>重要度</translation>
    </message>
    <message>
        <source>Trust</source>
        <translation>信頼度</translation>
    </message>
    <message>
        <source>Floors</source>
        <translation>フロア</translation>
    </message>
</context>
<context>
    <name>EventHistoryView</name>
    <message>
        <source>What this event was, newest first</source>
        <translation>このイベントの履歴（新しい順）</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>バージョン</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>変更内容</translation>
    </message>
    <message>
        <source>Go back to this version</source>
        <translation>このバージョンに戻す</translation>
    </message>
    <message>
        <source>What an event was is shown to you, not to a character.</source>
        <translation>イベントの履歴はあなたにだけ表示され、キャラクターには伝わりません。</translation>
    </message>
    <message>
        <source>Older steps are no longer kept.</source>
        <translation>これより古い操作は保持されていません。</translation>
    </message>
</context>
<context>
    <name>EventList</name>
    <message>
        <source>Outline, always in context</source>
        <translation>あらすじ：常にコンテキスト内</translation>
    </message>
    <message>
        <source>Archived, in context when recalled</source>
        <translation>アーカイブ済み：想起時のみコンテキスト内</translation>
    </message>
    <message>
        <source>Buffer, always in context</source>
        <translation>バッファ：常にコンテキスト内</translation>
    </message>
    <message>
        <source>Click: back to the buffer, in every prompt</source>
        <translation>クリック：バッファに戻し、毎回のプロンプトに含める</translation>
    </message>
    <message>
        <source>Click: archive it, in a prompt when recalled</source>
        <translation>クリック：アーカイブし、想起されたときだけ含める</translation>
    </message>
    <message>
        <source>Floor {first}</source>
        <translation>フロア{first}</translation>
    </message>
    <message>
        <source>Floors {first}–{last}</source>
        <translation>フロア{first}–{last}</translation>
    </message>
    <message>
        <source>Volume “{title}”</source>
        <translation>巻「{title}」</translation>
    </message>
    <message>
        <source>Events: what happened</source>
        <translation>イベント：起きたこと</translation>
    </message>
    <message>
        <source>Facts: what holds</source>
        <translation>事実：成り立ち続けること</translation>
    </message>
    <message>
        <source>By story time</source>
        <translation>作中時間順</translation>
    </message>
    <message>
        <source>By story time, newest first</source>
        <translation>作中時間順（新しい順）</translation>
    </message>
    <message>
        <source>By significance</source>
        <translation>重要度順</translation>
    </message>
    <message>
        <source>By time made</source>
        <translation>作成日時順</translation>
    </message>
    <message>
        <source>By time changed</source>
        <translation>更新日時順</translation>
    </message>
    <message>
        <source>By the summary&apos;s words</source>
        <translation>要約の文字順</translation>
    </message>
    <message>
        <source>By state</source>
        <translation>状態順</translation>
    </message>
    <message>
        <source>By tokens</source>
        <translation>トークン数順</translation>
    </message>
    <message>
        <source>Confirmed by you</source>
        <translation>確認済み</translation>
    </message>
    <message>
        <source>Said by a model</source>
        <translation>モデルによる記述</translation>
    </message>
    <message>
        <source>Extracted without a model</source>
        <translation>モデルを使わず抽出</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>インポート</translation>
    </message>
    <message numerus="yes">
        <source>Archiving %n event(s)</source>
        <translation>
            <numerusform>イベント%n件のアーカイブ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moving %n event(s) back to the buffer</source>
        <translation>
            <numerusform>イベント%n件をバッファに戻す</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Locking %n event(s)</source>
        <translation>
            <numerusform>イベント%n件のロック</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Unlocking %n event(s)</source>
        <translation>
            <numerusform>イベント%n件のロック解除</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Confirming %n event(s)</source>
        <translation>
            <numerusform>イベント%n件を確認済みにする</numerusform>
        </translation>
    </message>
    <message>
        <source>Adding a memory</source>
        <translation>記憶の追加</translation>
    </message>
    <message numerus="yes">
        <source>Deleting %n event(s)</source>
        <translation>
            <numerusform>イベント%n件の削除</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) deleted</source>
        <translation>
            <numerusform>イベント%n件を削除しました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Joining %n event(s)</source>
        <translation>
            <numerusform>イベント%n件の結合</numerusform>
        </translation>
    </message>
    <message>
        <source>Splitting an event</source>
        <translation>イベントの分割</translation>
    </message>
    <message>
        <source>Taking an outline apart</source>
        <translation>あらすじの分解</translation>
    </message>
    <message>
        <source>Saving the event</source>
        <translation>イベントの保存</translation>
    </message>
</context>
<context>
    <name>EventListModel</name>
    <message>
        <source>Locked</source>
        <translation>ロック</translation>
    </message>
    <message>
        <source>Stale</source>
        <translation>要更新</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>事実</translation>
    </message>
</context>
<context>
    <name>EventMany</name>
    <message numerus="yes">
        <source>Editing %n event(s)</source>
        <translation>
            <numerusform>イベント%n件の編集</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventPage</name>
    <message>
        <source>Find and replace…</source>
        <translation>検索と置換…</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>記憶済みの範囲</translation>
    </message>
    <message>
        <source>Made without a model</source>
        <translation>モデルなしで作成</translation>
    </message>
    <message>
        <source>Key sentences, names and places were picked on this computer. Once a model is set up, “Summarise these floors again” lets it summarise them.</source>
        <translation>重要な文、人名、場所をこのコンピューターで抜き出したものです。モデルを設定すると、「これらのフロアを要約し直す」でモデルが書き直せます。</translation>
    </message>
    <message>
        <source>Invert selection</source>
        <translation>選択を反転</translation>
    </message>
</context>
<context>
    <name>EventReplace</name>
    <message>
        <source>Summary</source>
        <translation>要約</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>Story time</source>
        <translation>作中時間</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>キーワード</translation>
    </message>
    <message>
        <source>Structured fields</source>
        <translation>構造化フィールド</translation>
    </message>
    <message>
        <source>Names of entities and relations</source>
        <translation>エンティティと関係の名前</translation>
    </message>
    <message numerus="yes">
        <source>Replacing in %n place(s)</source>
        <translation>
            <numerusform>%nか所の置換</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventTable</name>
    <message>
        <source>Events</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
</context>
<context>
    <name>EventTableModel</name>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Story time</source>
        <translation>作中時間</translation>
    </message>
    <message>
        <source>Floors</source>
        <translation>フロア</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>要約</translation>
    </message>
    <message>
        <source>Entities</source>
        <translation>エンティティ</translation>
    </message>
    <message>
        <source>Significance</source>
        <translation>重要度</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>トークン</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>更新日時</translation>
    </message>
</context>
<context>
    <name>EventTools</name>
    <message>
        <source>Search events</source>
        <translation>イベントを検索</translation>
    </message>
    <message>
        <source>Also: entity:name, is:stale, is:locked, -word, “exact words”, one OR another</source>
        <translation>entity:名前、is:stale、is:locked、-含まない語、“そのままの語”、「A OR B」も使えます</translation>
    </message>
    <message>
        <source>How events are shown</source>
        <translation>イベントの表示方法</translation>
    </message>
    <message>
        <source>Sort order</source>
        <translation>並べ替え</translation>
    </message>
    <message>
        <source>The other way round</source>
        <translation>逆順</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>カード</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Outlines and their parts</source>
        <translation>あらすじのツリー</translation>
    </message>
    <message>
        <source>Who was there</source>
        <translation>誰が居合わせたか</translation>
    </message>
    <message>
        <source>Days of the story</source>
        <translation>物語の日々</translation>
    </message>
    <message>
        <source>Write an event or a fact…</source>
        <translation>イベントまたは事実を書く…</translation>
    </message>
    <message>
        <source>More about these events</source>
        <translation>これらのイベントのその他の操作</translation>
    </message>
    <message>
        <source>Find and replace…</source>
        <translation>検索と置換…</translation>
    </message>
    <message>
        <source>Events that say the same…</source>
        <translation>内容が重複するイベント…</translation>
    </message>
    <message>
        <source>Deleted events…</source>
        <translation>削除したイベント…</translation>
    </message>
    <message>
        <source>Keep this filter in the sidebar</source>
        <translation>このフィルターをサイドバーに保存</translation>
    </message>
    <message>
        <source>Kept filters</source>
        <translation>保存したフィルター</translation>
    </message>
</context>
<context>
    <name>EventView</name>
    <message>
        <source>Events</source>
        <translation>イベント</translation>
    </message>
</context>
<context>
    <name>EventsRow</name>
    <message>
        <source>Show its lines in the text</source>
        <translation>原文の該当箇所を表示</translation>
    </message>
</context>
<context>
    <name>EverydayWords</name>
    <message>
        <source>font, letters, text size, bigger, larger, smaller, scale</source>
        <translation>フォント、文字サイズ、文字の大きさ、拡大、縮小、ズーム</translation>
    </message>
    <message>
        <source>dark mode, night, colours, colors, black, white</source>
        <translation>ダークモード、夜間、暗い、明るい、配色、色</translation>
    </message>
    <message>
        <source>translation, Chinese, English, Japanese, interface</source>
        <translation>翻訳、中国語、英語、日本語、表示言語</translation>
    </message>
    <message>
        <source>compact, layout, spacing, interface</source>
        <translation>表示、密度、間隔、レイアウト</translation>
    </message>
    <message>
        <source>animation, effects, transitions</source>
        <translation>アニメーション、効果</translation>
    </message>
    <message>
        <source>notification, alert, popup, sound</source>
        <translation>通知、お知らせ、ポップアップ、音</translation>
    </message>
    <message>
        <source>API key, password, token, provider, account, LLM, AI</source>
        <translation>APIキー、パスワード、トークン、プロバイダー、アカウント、AI</translation>
    </message>
    <message>
        <source>LLM, AI, GPT, DeepSeek, Claude, Gemini, Ollama</source>
        <translation>AI、GPT、DeepSeek、Claude、Gemini、Ollama</translation>
    </message>
    <message>
        <source>timeout, waiting, slow, hangs</source>
        <translation>タイムアウト, 待ち時間, 遅い, 固まる</translation>
    </message>
    <message>
        <source>concurrency, threads, rate limit, 429, faster</source>
        <translation>同時, 並列, スレッド, レート制限, 429, 高速</translation>
    </message>
    <message>
        <source>offline, local model, vectors, memory use</source>
        <translation>オフライン, ローカルモデル, ベクトル, メモリ使用量</translation>
    </message>
    <message>
        <source>cost, money, spending, expensive, save, quota</source>
        <translation>費用、お金、節約、料金、予算</translation>
    </message>
    <message>
        <source>API key, vectors, semantic search</source>
        <translation>APIキー、ベクトル、意味検索</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>APIキー</translation>
    </message>
    <message>
        <source>VPN, SOCKS, Clash, internet, connection, firewall</source>
        <translation>VPN、SOCKS、Clash、インターネット、接続</translation>
    </message>
    <message>
        <source>VPN, SOCKS, Clash, port</source>
        <translation>VPN、SOCKS、Clash、ポート</translation>
    </message>
    <message>
        <source>password, secret, privacy, security, keyring</source>
        <translation>パスワード、プライバシー、安全、キーリング</translation>
    </message>
    <message>
        <source>save, copy, restore, interval</source>
        <translation>保存、コピー、復元</translation>
    </message>
    <message>
        <source>timeout, busy, locked</source>
        <translation>タイムアウト、使用中、ロック</translation>
    </message>
    <message>
        <source>my name, user, character, description</source>
        <translation>自分の名前、ユーザー、主人公、設定</translation>
    </message>
    <message>
        <source>how often, frequency</source>
        <translation>頻度、間隔</translation>
    </message>
    <message>
        <source>length, how much, cost</source>
        <translation>長さ、最大、費用</translation>
    </message>
    <message>
        <source>API key, provider, upstream</source>
        <translation>APIキー、プロバイダー</translation>
    </message>
    <message>
        <source>autostart, API, proxy of memory</source>
        <translation>自動起動、API</translation>
    </message>
    <message>
        <source>path, sync, import, location</source>
        <translation>パス、同期、インポート、場所</translation>
    </message>
    <message>
        <source>lorebook, length</source>
        <translation>最大、長さ</translation>
    </message>
    <message>
        <source>upgrade, version</source>
        <translation>アップデート、バージョン</translation>
    </message>
    <message>
        <source>shortcuts, hotkeys, keyboard, bindings</source>
        <translation>ショートカット、キーボード、キー割り当て</translation>
    </message>
    <message>
        <source>backup, restore, repair, damaged, check, index, data</source>
        <translation>バックアップ、復元、修復、破損、点検、索引、データ</translation>
    </message>
    <message>
        <source>prompt, template, regex, preset, system message</source>
        <translation>プロンプト、テンプレート、正規表現、プリセット</translation>
    </message>
    <message>
        <source>cost, money, spending, tokens used, statistics, bill</source>
        <translation>費用、料金、使用量、統計</translation>
    </message>
    <message>
        <source>version, licence, license, log, website</source>
        <translation>バージョン、ライセンス、ログ、サイト</translation>
    </message>
    <message>
        <source>Opens beside the settings</source>
        <translation>設定とは別に開きます</translation>
    </message>
</context>
<context>
    <name>EvidenceSection</name>
    <message numerus="yes">
        <source>Evidence · %n event(s)</source>
        <translation>
            <numerusform>根拠 · イベント%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>Read these lines</source>
        <translation>この部分の原文を読む</translation>
    </message>
</context>
<context>
    <name>ExchangeList</name>
    <message>
        <source>Requests</source>
        <translation>リクエスト</translation>
    </message>
    <message>
        <source>At</source>
        <translation>日時</translation>
    </message>
    <message>
        <source>From</source>
        <translation>送信元</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>記憶</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>トークン</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>所要時間</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>応答</translation>
    </message>
    <message>
        <source>Show the chat</source>
        <translation>チャットを表示</translation>
    </message>
    <message>
        <source>The exact request…</source>
        <translation>リクエストの原文…</translation>
    </message>
</context>
<context>
    <name>ExchangePanel</name>
    <message>
        <source>The request</source>
        <translation>リクエスト</translation>
    </message>
    <message>
        <source>Which chat</source>
        <translation>チャットの判定</translation>
    </message>
    <message>
        <source>This was another chat…</source>
        <translation>別のチャットだった…</translation>
    </message>
    <message>
        <source>The exact request…</source>
        <translation>リクエストの原文…</translation>
    </message>
    <message>
        <source>No request selected</source>
        <translation>リクエスト未選択</translation>
    </message>
    <message>
        <source>Select one to see which chat it was taken for and what it was given.</source>
        <translation>選択すると、どのチャットと判定され、何が渡されたかを表示します。</translation>
    </message>
    <message>
        <source>{chat}, {how}, {sure} sure</source>
        <translation>{chat}、{how}、確信度{sure}</translation>
    </message>
    <message>
        <source>None that is known</source>
        <translation>該当するチャットなし</translation>
    </message>
    <message>
        <source>Seen as {name}: only what {name} knows</source>
        <translation>{name}の視点：{name}が知ることのみ</translation>
    </message>
    <message>
        <source>Kept: {what}</source>
        <translation>保存済み：{what}</translation>
    </message>
    <message numerus="yes">
        <source>Memory put in: %n token(s)</source>
        <translation>
            <numerusform>注入した記憶：%nトークン</numerusform>
        </translation>
    </message>
    <message>
        <source>memory {ms} ms</source>
        <translation>記憶 {ms}ミリ秒</translation>
    </message>
    <message>
        <source>first byte {ms} ms</source>
        <translation>最初のバイト {ms}ミリ秒</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) saved</source>
        <translation>
            <numerusform>%nトークン節約</numerusform>
        </translation>
    </message>
    <message>
        <source>memory shortened from {wanted} to {given} tokens: the model&apos;s context was full</source>
        <translation>モデルのコンテキストがいっぱいのため、記憶を{wanted}から{given}トークンに短縮</translation>
    </message>
    <message>
        <source>Do not use this memory again</source>
        <translation>この記憶を今後使わない</translation>
    </message>
    <message>
        <source>None of my chats</source>
        <translation>どのチャットでもない</translation>
    </message>
</context>
<context>
    <name>ExplainView</name>
    <message>
        <source>Reasons</source>
        <translation>理由</translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s) were weighed to the end</source>
        <translation>
            <numerusform>最終候補：記憶%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>{count} came back</source>
        <translation>想起：{count}件</translation>
    </message>
    <message>
        <source>Also searched for: {words}</source>
        <translation>追加の検索語：{words}</translation>
    </message>
    <message>
        <source>Understood as: {text}</source>
        <translation>解釈：{text}</translation>
    </message>
    <message>
        <source>Not recalled</source>
        <translation>想起されなかった記憶</translation>
    </message>
    <message>
        <source>Recalled</source>
        <translation>想起された記憶</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export {chat}</source>
        <translation>{chat}の書き出し</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>ファイルを選択…</translation>
    </message>
    <message>
        <source>Markdown, for reading</source>
        <translation>Markdown（読む用）</translation>
    </message>
    <message>
        <source>JSON, everything, private notes too</source>
        <translation>JSON（すべての内容、非公開メモも）</translation>
    </message>
    <message>
        <source>World book for SillyTavern</source>
        <translation>SillyTavern用ワールドブック</translation>
    </message>
    <message>
        <source>Sync file of the Engram extension</source>
        <translation>Engram拡張の同期ファイル</translation>
    </message>
    <message>
        <source>As</source>
        <translation>形式</translation>
    </message>
    <message>
        <source>For</source>
        <translation>対象</translation>
    </message>
    <message>
        <source>Everything that is remembered</source>
        <translation>すべての記憶</translation>
    </message>
    <message>
        <source>Only what all of these know</source>
        <translation>次の全員が知っていることのみ</translation>
    </message>
    <message>
        <source>One name: what a character may know. Several: what everybody in a scene may know.</source>
        <translation>1人なら、そのキャラクターが知ってよいこと。複数なら、その場面で語ってよいこと。</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出す</translation>
    </message>
</context>
<context>
    <name>FacetBar</name>
    <message>
        <source>Entity</source>
        <translation>エンティティ</translation>
    </message>
    <message>
        <source>More filters</source>
        <translation>その他のフィルター</translation>
    </message>
    <message>
        <source>No entity yet</source>
        <translation>エンティティはまだありません</translation>
    </message>
    <message>
        <source>No events yet</source>
        <translation>イベントはまだありません</translation>
    </message>
    <message>
        <source>All {n}</source>
        <translation>すべて {n}</translation>
    </message>
    <message>
        <source>Buffer {n}</source>
        <translation>バッファ {n}</translation>
    </message>
    <message>
        <source>Archived {n}</source>
        <translation>アーカイブ {n}</translation>
    </message>
    <message>
        <source>Outlines {n}</source>
        <translation>あらすじ {n}</translation>
    </message>
    <message>
        <source>Stale {n}</source>
        <translation>要更新 {n}</translation>
    </message>
    <message>
        <source>Locked {n}</source>
        <translation>ロック {n}</translation>
    </message>
</context>
<context>
    <name>FacetStrip</name>
    <message>
        <source>Filters that are set</source>
        <translation>設定中のフィルター</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>クリア</translation>
    </message>
    <message>
        <source>Keep this filter in the sidebar</source>
        <translation>このフィルターをサイドバーに保存</translation>
    </message>
</context>
<context>
    <name>Facets</name>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>レベル</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>Trust</source>
        <translation>信頼度</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>作成元</translation>
    </message>
    <message>
        <source>Entity</source>
        <translation>エンティティ</translation>
    </message>
    <message>
        <source>Keyword</source>
        <translation>キーワード</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>真偽</translation>
    </message>
    <message>
        <source>Outline {level}</source>
        <translation>あらすじ {level}</translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation>バッファ</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>アーカイブ済み</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>あらすじ</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>事実</translation>
    </message>
    <message>
        <source>A model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Extraction</source>
        <translation>抽出</translation>
    </message>
    <message>
        <source>You</source>
        <translation>あなた</translation>
    </message>
    <message>
        <source>An import</source>
        <translation>インポート</translation>
    </message>
    <message>
        <source>Stale</source>
        <translation>要更新</translation>
    </message>
    <message>
        <source>Has a finding</source>
        <translation>真偽の指摘あり</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>ロック</translation>
    </message>
    <message>
        <source>{field}: {value}</source>
        <translation>{field}：{value}</translation>
    </message>
    <message>
        <source>Only this</source>
        <translation>これだけに絞り込む</translation>
    </message>
    <message>
        <source>And this</source>
        <translation>「かつ」で追加</translation>
    </message>
    <message>
        <source>Or this</source>
        <translation>「または」で追加</translation>
    </message>
    <message>
        <source>Not this</source>
        <translation>これを除く</translation>
    </message>
    <message>
        <source>Click: only this. Ctrl+click: and. Shift+click: or. Alt+click: not. A right click offers the same.</source>
        <translation>クリック：これだけに絞り込む。Ctrl+クリック：「かつ」で追加。Shift+クリック：「または」で追加。Alt+クリック：これを除く。右クリックのメニューからも選べます。</translation>
    </message>
    <message>
        <source>or</source>
        <translation>または</translation>
    </message>
    <message>
        <source>and</source>
        <translation>かつ</translation>
    </message>
    <message>
        <source>not</source>
        <translation>除く</translation>
    </message>
</context>
<context>
    <name>FactTable</name>
    <message>
        <source>The first event that says so</source>
        <translation>最初に言及したイベント</translation>
    </message>
</context>
<context>
    <name>FailuresDialog</name>
    <message>
        <source>Blocks that failed</source>
        <translation>失敗したブロック</translation>
    </message>
    <message>
        <source>The model&apos;s own answer; it can be corrected</source>
        <translation>モデルの応答そのもの（修正できます）</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>破棄</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>再リクエスト</translation>
    </message>
    <message>
        <source>Ask for all again</source>
        <translation>すべて再リクエスト</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>読み取り直す</translation>
    </message>
    <message>
        <source>outdated: the messages have changed</source>
        <translation>要更新：メッセージが変更されています</translation>
    </message>
    <message>
        <source>Nothing is left here.</source>
        <translation>ここには何も残っていません。</translation>
    </message>
    <message>
        <source>There was no answer.</source>
        <translation>応答はありませんでした。</translation>
    </message>
</context>
<context>
    <name>FileCard</name>
    <message numerus="yes">
        <source>%n hidden</source>
        <translation>
            <numerusform>非表示%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other swipe(s), not used</source>
        <translation>
            <numerusform>未使用の別の返答%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>メッセージ%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>World book</source>
        <translation>ワールドブック</translation>
    </message>
    <message>
        <source>Character card</source>
        <translation>キャラクターカード</translation>
    </message>
    <message>
        <source>Regex scripts</source>
        <translation>正規表現スクリプト</translation>
    </message>
    <message numerus="yes">
        <source>%n script(s)</source>
        <translation>
            <numerusform>スクリプト%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n world book entry(ies)</source>
        <translation>
            <numerusform>ワールドブックの項目%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) cannot be read; the rest is imported:</source>
        <translation>
            <numerusform>%n行を読み取れません。残りはインポートされます：</numerusform>
        </translation>
    </message>
    <message>
        <source>line {line}: {message}</source>
        <translation>{line}行目：{message}</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>ほか%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Continue “{name}”: %n new message(s)</source>
        <translation>
            <numerusform>「{name}」に追記：新しいメッセージ%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>Continue “{name}”: nothing new</source>
        <translation>「{name}」に追記：新しいメッセージなし</translation>
    </message>
    <message>
        <source>Keep both: a chat of its own</source>
        <translation>両方残す：別のチャットにする</translation>
    </message>
    <message>
        <source>A new chat</source>
        <translation>新しいチャットにする</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>インポートしない</translation>
    </message>
    <message>
        <source>Another chat here is called “{name}”: it stays as it is.</source>
        <translation>「{name}」という名前のチャットがすでにあります。そのチャットは変更されません。</translation>
    </message>
    <message>
        <source>Name of the new chat</source>
        <translation>新しいチャットの名前</translation>
    </message>
    <message>
        <source>It is another copy of “{name}”:</source>
        <translation>「{name}」の別のコピーです：</translation>
    </message>
    <message>
        <source>Keep both: the chat goes on with the file, a branch keeps these floors</source>
        <translation>両方残す：チャットはファイルで続き、これらのフロアは分岐に残る</translation>
    </message>
    <message>
        <source>Keep both: the file becomes a branch, the chat stays as it is</source>
        <translation>両方残す：ファイルは分岐になり、チャットは元のまま</translation>
    </message>
    <message>
        <source>Replace: the chat becomes the same as the file; that can be taken back</source>
        <translation>置き換える：チャットはファイルの内容になる（元に戻せます）</translation>
    </message>
    <message>
        <source>This is the longest of them.</source>
        <translation>この中で最も長いチャットです。</translation>
    </message>
    <message numerus="yes">
        <source>Import %n chat(s), each on its own</source>
        <translation>
            <numerusform>%n件のチャットを個別にインポート</numerusform>
        </translation>
    </message>
    <message>
        <source>In the library already, as “{name}”</source>
        <translation>「{name}」としてライブラリに登録済み</translation>
    </message>
    <message>
        <source>Store it as</source>
        <translation>保存方法</translation>
    </message>
    <message>
        <source>Name in the library</source>
        <translation>ライブラリでの名前</translation>
    </message>
    <message>
        <source>Something else here is called “{name}”. It is not touched unless you say.</source>
        <translation>「{name}」という名前のものがすでにライブラリにあります。選択しないかぎり、変更されません。</translation>
    </message>
    <message>
        <source>Keep both</source>
        <translation>両方残す</translation>
    </message>
    <message>
        <source>Put it in the place of “{name}”; that can be taken back</source>
        <translation>「{name}」を置き換える（元に戻せます）</translation>
    </message>
    <message>
        <source>Merge: add the entries that “{name}” has not</source>
        <translation>統合：「{name}」にない項目を追加</translation>
    </message>
</context>
<context>
    <name>FilterHelp</name>
    <message>
        <source>type:event</source>
        <translation>type:event</translation>
    </message>
    <message>
        <source>entity:</source>
        <translation>entity:</translation>
    </message>
    <message>
        <source>chat:</source>
        <translation>chat:</translation>
    </message>
    <message>
        <source>is:blue</source>
        <translation>is:blue</translation>
    </message>
    <message>
        <source>is:stale</source>
        <translation>is:stale</translation>
    </message>
    <message>
        <source>only this kind: chat, entity, event, message, log, book</source>
        <translation>この種類だけ：chat、entity、event、message、log、book</translation>
    </message>
    <message>
        <source>mentions this entity, under any of its names</source>
        <translation>このエンティティに触れるもの（どの別名でも可）</translation>
    </message>
    <message>
        <source>in chats whose name holds this</source>
        <translation>名前にこれを含むチャットの中だけ</translation>
    </message>
    <message>
        <source>always in context; is:green: when recalled</source>
        <translation>常にコンテキスト内。is:greenは想起時のみ</translation>
    </message>
    <message>
        <source>no longer true; is:locked: locked</source>
        <translation>現状と合わなくなったもの。is:lockedはロック中</translation>
    </message>
    <message>
        <source>before a word or a filter: without it</source>
        <translation>語や条件の前に付けると、それを含まないもの</translation>
    </message>
    <message>
        <source>exactly these words, with their blanks</source>
        <translation>空白も含めて完全に一致する語句</translation>
    </message>
    <message>
        <source>one or the other; a blank means both</source>
        <translation>いずれか一方。空白は「両方」の意味</translation>
    </message>
    <message>
        <source>Type {filter}</source>
        <translation>{filter}と入力</translation>
    </message>
</context>
<context>
    <name>FilteredMenu</name>
    <message>
        <source>Filter</source>
        <translation>フィルター</translation>
    </message>
</context>
<context>
    <name>FindingDetail</name>
    <message>
        <source>Key {number}</source>
        <translation>{number}キー</translation>
    </message>
    <message>
        <source>Your answer; once more takes it back</source>
        <translation>あなたの回答です。もう一度押すと取り消します</translation>
    </message>
    <message>
        <source>Keys 1–{last} answer and go on, J and K move, Ctrl+Z undoes.</source>
        <translation>1～{last}キーで回答して次へ進みます。JとKで移動、Ctrl+Zで元に戻します。</translation>
    </message>
    <message>
        <source>Due: {trigger}</source>
        <translation>時機：{trigger}</translation>
    </message>
    <message>
        <source>Who knows better: {names}</source>
        <translation>本当のことを知る人：{names}</translation>
    </message>
</context>
<context>
    <name>FindingList</name>
    <message>
        <source>Answering a finding</source>
        <translation>指摘への回答</translation>
    </message>
</context>
<context>
    <name>FindingModel</name>
    <message>
        <source>Floors {floors}</source>
        <translation>フロア{floors}</translation>
    </message>
</context>
<context>
    <name>FindingPage</name>
    <message>
        <source>Search findings</source>
        <translation>真偽を検索</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>真偽</translation>
    </message>
    <message>
        <source>All</source>
        <translation>すべて</translation>
    </message>
    <message>
        <source>Any status</source>
        <translation>すべての状態</translation>
    </message>
    <message>
        <source>Nothing is known of what {name} hears</source>
        <translation>{name}が何を聞いたかは分かりません</translation>
    </message>
    <message>
        <source>Nobody of that name speaks, is spoken to or acts in this story.</source>
        <translation>この物語には、その名前で話す人も、話しかけられる人も、行動する人もいません。</translation>
    </message>
    <message>
        <source>No finding matches</source>
        <translation>一致するものがありません</translation>
    </message>
    <message>
        <source>Try fewer words, or another kind.</source>
        <translation>言葉を減らすか、別の種類を選んでください。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>すべて表示</translation>
    </message>
    <message>
        <source>Nothing yet at this floor</source>
        <translation>このフロアにはまだありません</translation>
    </message>
    <message>
        <source>Move the slider on.</source>
        <translation>スライダーを先へ動かしてください。</translation>
    </message>
    <message>
        <source>Nothing that {name} knows of</source>
        <translation>{name}の知る範囲にはありません</translation>
    </message>
    <message>
        <source>Only what follows from what {name} says, hears and thinks counts.</source>
        <translation>{name}が話し、聞き、考えたことから分かるものだけを数えます。</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>何も見つかりません</translation>
    </message>
    <message>
        <source>Lies, mistakes, contradictions, promises and what is no longer so appear here when the story tells of them. No model is needed.</source>
        <translation>嘘、思い違い、矛盾、約束、もう古くなったことは、物語に現れるとここに並びます。モデルは要りません。</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>Superseded</source>
        <translation>過去の事実</translation>
    </message>
    <message>
        <source>Lie</source>
        <translation>嘘</translation>
    </message>
    <message>
        <source>Mistaken</source>
        <translation>思い違い</translation>
    </message>
    <message>
        <source>Contradiction</source>
        <translation>矛盾</translation>
    </message>
    <message>
        <source>Promise</source>
        <translation>約束</translation>
    </message>
    <message>
        <source>The first was so until the second: what is newer holds.</source>
        <translation>前の文は後の文までのこと。新しいほうが有効です。</translation>
    </message>
    <message>
        <source>The first is not so, and who said it knew: the second shows it.</source>
        <translation>前の文は事実ではなく、言った人もそれを知っています。後の文で分かります。</translation>
    </message>
    <message>
        <source>The first is not so, but who said it believed it: the second shows it.</source>
        <translation>前の文は事実ではありませんが、言った人は信じていました。後の文で分かります。</translation>
    </message>
    <message>
        <source>Both cannot be so, and nothing between them changed it. Which is true?</source>
        <translation>両方が成り立つことはなく、その間に変化もありません。どちらが本当ですか。</translation>
    </message>
    <message>
        <source>A vow, an appointment, a threat or a riddle. What became of it?</source>
        <translation>誓い、約束、脅し、あるいは謎。その後どうなりましたか。</translation>
    </message>
    <message>
        <source>over</source>
        <translation>過去</translation>
    </message>
    <message>
        <source>not found out</source>
        <translation>未発覚</translation>
    </message>
    <message>
        <source>found out</source>
        <translation>発覚</translation>
    </message>
    <message>
        <source>still believed</source>
        <translation>まだ信じている</translation>
    </message>
    <message>
        <source>corrected</source>
        <translation>訂正済み</translation>
    </message>
    <message>
        <source>open</source>
        <translation>未解決</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>回答済み</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>果たされた</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>破られた</translation>
    </message>
    <message>
        <source>given up</source>
        <translation>断念</translation>
    </message>
    <message>
        <source>The later is true</source>
        <translation>後が本当</translation>
    </message>
    <message>
        <source>The earlier is true</source>
        <translation>前が本当</translation>
    </message>
    <message>
        <source>Both, time passed</source>
        <translation>両方とも本当、時が経った</translation>
    </message>
    <message>
        <source>One lies</source>
        <translation>どちらかが嘘</translation>
    </message>
    <message>
        <source>Deliberate</source>
        <translation>意図的</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>未解決</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>果たされた</translation>
    </message>
    <message>
        <source>Broken</source>
        <translation>破られた</translation>
    </message>
    <message>
        <source>Given up</source>
        <translation>断念</translation>
    </message>
    <message>
        <source>where one lives</source>
        <translation>住まい</translation>
    </message>
    <message>
        <source>where it is</source>
        <translation>ある場所</translation>
    </message>
    <message>
        <source>whose it is</source>
        <translation>持ち主</translation>
    </message>
    <message>
        <source>work or rank</source>
        <translation>仕事や身分</translation>
    </message>
    <message>
        <source>alive or dead</source>
        <translation>生死</translation>
    </message>
    <message>
        <source>relationship</source>
        <translation>関係</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>health</source>
        <translation>体調</translation>
    </message>
    <message>
        <source>amount</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>date</source>
        <translation>日付</translation>
    </message>
    <message>
        <source>age</source>
        <translation>年齢</translation>
    </message>
    <message>
        <source>since when</source>
        <translation>期間</translation>
    </message>
    <message>
        <source>where one comes from</source>
        <translation>出身</translation>
    </message>
    <message>
        <source>where one was</source>
        <translation>当時の居場所</translation>
    </message>
    <message>
        <source>out of character</source>
        <translation>物語の外の発言</translation>
    </message>
    <message>
        <source>the narration</source>
        <translation>地の文</translation>
    </message>
    <message>
        <source>{who} says</source>
        <translation>{who}の発言</translation>
    </message>
    <message>
        <source>{who} thinks</source>
        <translation>{who}の心中</translation>
    </message>
    <message>
        <source>{who} writes</source>
        <translation>{who}の文</translation>
    </message>
    <message>
        <source>{who} tells</source>
        <translation>{who}の語り</translation>
    </message>
</context>
<context>
    <name>FloorBubble</name>
    <message>
        <source>Floor {floor}</source>
        <translation>フロア{floor}</translation>
    </message>
</context>
<context>
    <name>FloorChoice</name>
    <message>
        <source>These floors</source>
        <translation>フロアを指定</translation>
    </message>
</context>
<context>
    <name>FloorRange</name>
    <message>
        <source>First floor</source>
        <translation>最初のフロア</translation>
    </message>
    <message>
        <source>Last floor</source>
        <translation>最後のフロア</translation>
    </message>
</context>
<context>
    <name>FloorSlider</name>
    <message>
        <source>Up to floor</source>
        <translation>表示する時点（フロア）</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>{floor} of {last}</source>
        <translation>フロア{floor}/{last}</translation>
    </message>
</context>
<context>
    <name>FolderDialog</name>
    <message>
        <source>Markdown folder</source>
        <translation>Markdownフォルダ</translation>
    </message>
    <message>
        <source>One file for each event and entity, kept in step both ways: what is edited, added or deleted in the folder comes back as a step that can be undone. What both sides changed waits for your choice. Private notes are in no file. At most {files} files, of {size} kB each.</source>
        <translation>イベントとエンティティごとに1つのファイルを、双方向で同期します。フォルダでの編集・追加・削除は、取り消せる1つの操作としてここに戻ります。両側で変わったものはあなたの選択を待ちます。非公開メモはどのファイルにも入りません。ファイルは最大{files}個、それぞれ{size} kBまでです。</translation>
    </message>
    <message>
        <source>Files that are not in step</source>
        <translation>同期していないファイル</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>フォルダを選ぶ…</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>もう一度見る</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>フォルダを開く</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>やめる</translation>
    </message>
    <message>
        <source>Stop keeping it in step; its files stay</source>
        <translation>同期をやめます。ファイルは残ります</translation>
    </message>
    <message>
        <source>Keep what is here</source>
        <translation>こちらを残す</translation>
    </message>
    <message>
        <source>Take the file</source>
        <translation>ファイルを採用する</translation>
    </message>
    <message>
        <source>They were meant to be deleted</source>
        <translation>意図した削除です</translation>
    </message>
    <message>
        <source>This chat is kept in no folder.</source>
        <translation>このチャットはどのフォルダとも同期していません。</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) in step</source>
        <translation>
            <numerusform>%n個のファイルが同期済み</numerusform>
        </translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>削除済み</translation>
    </message>
    <message>
        <source>Here: {text}</source>
        <translation>こちら：{text}</translation>
    </message>
    <message>
        <source>File: {text}</source>
        <translation>ファイル：{text}</translation>
    </message>
    <message>
        <source>A new or empty folder</source>
        <translation>新しい、または空のフォルダ</translation>
    </message>
</context>
<context>
    <name>FolderStep</name>
    <message>
        <source>Where your library lies</source>
        <translation>ライブラリの保存場所</translation>
    </message>
    <message>
        <source>Chats and their memory are kept in one folder on this computer, nowhere else.</source>
        <translation>チャットとその記憶は、このコンピューターの1つのフォルダにのみ保存されます。</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>フォルダを表示</translation>
    </message>
    <message>
        <source>Another folder…</source>
        <translation>別のフォルダ…</translation>
    </message>
    <message>
        <source>Folder of a library</source>
        <translation>ライブラリのフォルダ</translation>
    </message>
</context>
<context>
    <name>FootBar</name>
    <message>
        <source>What the next reply would be given of memory</source>
        <translation>次の返信に渡される記憶</translation>
    </message>
    <message>
        <source>Pause automatic memory</source>
        <translation>自動記憶を一時停止</translation>
    </message>
    <message>
        <source>Messages of this session</source>
        <translation>このセッションの通知</translation>
    </message>
    <message>
        <source>Next prompt</source>
        <translation>次のプロンプト</translation>
    </message>
    <message>
        <source>Next prompt: {tokens} tokens</source>
        <translation>次のプロンプト：{tokens}トークン</translation>
    </message>
    <message numerus="yes">
        <source>Next prompt: %n of these, {tokens} tokens</source>
        <translation>
            <numerusform>次のプロンプト：うち%n件、{tokens}トークン</numerusform>
        </translation>
    </message>
    <message>
        <source>Always visible {used} / {limit} tokens</source>
        <translation>常時 {used} / {limit}トークン</translation>
    </message>
    <message>
        <source>{used} / {limit} tokens</source>
        <translation>{used} / {limit}トークン</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) to review</source>
        <translation>
            <numerusform>確認待ち%nブロック</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) failed</source>
        <translation>
            <numerusform>失敗%nブロック</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume automatic memory</source>
        <translation>自動記憶を再開</translation>
    </message>
    <message>
        <source>Index in order</source>
        <translation>索引は正常</translation>
    </message>
    <message>
        <source>Exact search</source>
        <translation>厳密検索</translation>
    </message>
    <message>
        <source>Index starting, exact search meanwhile</source>
        <translation>索引を起動中（その間は厳密検索）</translation>
    </message>
    <message>
        <source>Index updating, exact search meanwhile</source>
        <translation>索引を更新中（その間は厳密検索）</translation>
    </message>
    <message>
        <source>Index off</source>
        <translation>索引オフ</translation>
    </message>
    <message>
        <source>Changing to the new model {share} %</source>
        <translation>新しいモデルへ移行中 {share}%</translation>
    </message>
    <message>
        <source>Index broken, exact search meanwhile</source>
        <translation>索引が破損（その間は厳密検索）</translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s)</source>
        <translation>
            <numerusform>記憶%n件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FoundList</name>
    <message>
        <source>Settings found</source>
        <translation>見つかった設定</translation>
    </message>
    <message>
        <source>No setting says “{text}”.</source>
        <translation>「{text}」に一致する設定はありません。</translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s)</source>
        <translation>
            <numerusform>設定%n件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FrontEnds</name>
    <message>
        <source>Fill in the address {url} and the key {key}.</source>
        <translation>アドレス{url}とAPIキー{key}を入力します。</translation>
    </message>
    <message>
        <source>Choose the model you use here, and talk as ever.</source>
        <translation>ここで使うモデルを選び、いつもどおり会話します。</translation>
    </message>
    <message>
        <source>API connections: Chat Completion, source “Custom”.</source>
        <translation>API接続：Chat Completion（チャット補完）、ソースは「Custom」を選びます。</translation>
    </message>
    <message>
        <source>Connect, and choose the model you use here.</source>
        <translation>接続し、ここで使うモデルを選びます。</translation>
    </message>
    <message>
        <source>For text completion: type “Generic” or “KoboldCpp”, and the address {root}.</source>
        <translation>テキスト補完の場合：種類は「Generic」か「KoboldCpp」、アドレスは{root}。</translation>
    </message>
    <message>
        <source>Or keep the connection you have, and install the companion: it asks for memory before each reply.</source>
        <translation>今の接続のまま、連携拡張を入れることもできます。返信のたびに記憶を取得します。</translation>
    </message>
    <message>
        <source>Settings, Chat Bot: model “Custom API” (OpenAI compatible).</source>
        <translation>設定 → チャットボット：モデルは「Custom API」（OpenAI互換）を選びます。</translation>
    </message>
    <message>
        <source>Admin Panel, Settings, Connections: add an OpenAI connection.</source>
        <translation>管理者パネル → 設定 → 接続：OpenAI接続を追加します。</translation>
    </message>
    <message>
        <source>If it runs in a container, open the server to the network in the settings, and use this computer&apos;s address instead of 127.0.0.1.</source>
        <translation>コンテナで動かしている場合は、設定でサーバーをネットワークに公開し、127.0.0.1の代わりにこのコンピューターのアドレスを使います。</translation>
    </message>
    <message>
        <source>Settings, AI Service Provider, OpenAI.</source>
        <translation>設定 → AIサービスプロバイダー → OpenAI。</translation>
    </message>
    <message>
        <source>If it asks from the browser, name its address in the settings here, under “Memory server: web pages that may use it”.</source>
        <translation>ブラウザーから直接リクエストする場合は、Engramの設定「メモリサーバー：利用を許可するWebページ」にそのアドレスを加えます。</translation>
    </message>
    <message>
        <source>Settings, Model Provider: add one, of the OpenAI API.</source>
        <translation>設定 → モデルプロバイダー：OpenAI APIのプロバイダーを追加します。</translation>
    </message>
    <message>
        <source>Any other program</source>
        <translation>その他のプログラム</translation>
    </message>
    <message>
        <source>Look for “OpenAI compatible”, “base URL” or “API address”.</source>
        <translation>「OpenAI互換」「Base URL」「APIアドレス」などの設定を探します。</translation>
    </message>
    <message>
        <source>To say yourself which chat it is, use {root}/chat/NAME/v1 with the chat&apos;s name.</source>
        <translation>チャットを自分で指定するには、{root}/chat/NAME/v1のNAMEをチャット名に置き換えて使います。</translation>
    </message>
    <message>
        <source>A program that starts tools: command “engram”, argument “mcp”.</source>
        <translation>ツールを起動できるプログラム：コマンド「engram」、引数「mcp」。</translation>
    </message>
    <message>
        <source>One that asks over HTTP: {root}/mcp, with the key {key}.</source>
        <translation>HTTPで接続するプログラム：{root}/mcp、APIキー{key}。</translation>
    </message>
    <message>
        <source>Tools that write are allowed in the settings.</source>
        <translation>書き込みを行うツールは、設定で許可します。</translation>
    </message>
</context>
<context>
    <name>GapSection</name>
    <message>
        <source>Missing</source>
        <translation>足りないもの</translation>
    </message>
    <message>
        <source>floor {floor}</source>
        <translation>フロア{floor}</translation>
    </message>
    <message>
        <source>Named here, and no event of this floor is linked to it</source>
        <translation>ここで言及されていますが、このフロアのイベントはどれもリンクしていません</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>ほか%n件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Gaps</name>
    <message>
        <source>alone: no relation</source>
        <translation>孤立：関係がない</translation>
    </message>
    <message>
        <source>named without a link</source>
        <translation>言及のみでリンクなし</translation>
    </message>
    <message>
        <source>persons never described</source>
        <translation>説明のない人物</translation>
    </message>
    <message>
        <source>persons without a home</source>
        <translation>住まいのない人物</translation>
    </message>
    <message>
        <source>persons without a birthday</source>
        <translation>誕生日のない人物</translation>
    </message>
    <message>
        <source>no relation</source>
        <translation>関係なし</translation>
    </message>
    <message>
        <source>never described</source>
        <translation>説明なし</translation>
    </message>
    <message>
        <source>no home</source>
        <translation>住まいなし</translation>
    </message>
    <message>
        <source>no birthday</source>
        <translation>誕生日なし</translation>
    </message>
</context>
<context>
    <name>Graph</name>
    <message>
        <source>Characters</source>
        <translation>キャラクター</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Items</source>
        <translation>物品</translation>
    </message>
    <message>
        <source>Concepts</source>
        <translation>概念</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>その他</translation>
    </message>
    <message>
        <source>Character</source>
        <translation>キャラクター</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Item</source>
        <translation>物品</translation>
    </message>
    <message>
        <source>Concept</source>
        <translation>概念</translation>
    </message>
    <message>
        <source>Other thing</source>
        <translation>その他</translation>
    </message>
</context>
<context>
    <name>GraphExport</name>
    <message>
        <source>Save as a picture (PNG)…</source>
        <translation>画像として保存（PNG）…</translation>
    </message>
    <message>
        <source>Save as a drawing (SVG)…</source>
        <translation>ベクター画像として保存（SVG）…</translation>
    </message>
    <message>
        <source>Save the whole graph as GraphML…</source>
        <translation>グラフ全体をGraphMLで保存…</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>画像 (*.png)</translation>
    </message>
    <message>
        <source>Drawing (*.svg)</source>
        <translation>ベクター画像 (*.svg)</translation>
    </message>
    <message>
        <source>GraphML (*.graphml)</source>
        <translation>GraphML (*.graphml)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出す</translation>
    </message>
</context>
<context>
    <name>GraphFiles</name>
    <message>
        <source>Exporting</source>
        <translation>書き出し</translation>
    </message>
    <message>
        <source>“{name}” was written</source>
        <translation>「{name}」に書き出しました</translation>
    </message>
</context>
<context>
    <name>GraphFilters</name>
    <message>
        <source>Hops from the centre</source>
        <translation>中心からのホップ数</translation>
    </message>
    <message>
        <source>Hops</source>
        <translation>ホップ数</translation>
    </message>
    <message>
        <source>Entities shown at most</source>
        <translation>表示するエンティティの上限</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Relations at least</source>
        <translation>関係の最小数</translation>
    </message>
    <message>
        <source>Only this relation</source>
        <translation>この関係のみ</translation>
    </message>
    <message>
        <source>Only</source>
        <translation>絞り込み</translation>
    </message>
    <message>
        <source>What is missing</source>
        <translation>何が足りないか</translation>
    </message>
    <message>
        <source>Looked for in profiles, relations, archived events, the newest {count} messages.</source>
        <translation>プロフィール、関係、アーカイブ済みのイベント、最新{count}件のメッセージから探します。</translation>
    </message>
    <message>
        <source>every entity</source>
        <translation>すべてのエンティティ</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>足りないもの</translation>
    </message>
    <message>
        <source>every relation</source>
        <translation>すべての関係</translation>
    </message>
</context>
<context>
    <name>GraphList</name>
    <message>
        <source>Entities and their relations</source>
        <translation>エンティティとその関係</translation>
    </message>
</context>
<context>
    <name>GraphMenus</name>
    <message>
        <source>Details</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>Show all of it large</source>
        <translation>全体を大きく表示</translation>
    </message>
    <message>
        <source>Put in the centre</source>
        <translation>中心に置く</translation>
    </message>
    <message>
        <source>Path from {name}</source>
        <translation>{name}からの経路</translation>
    </message>
    <message>
        <source>Add a relation…</source>
        <translation>関係を追加…</translation>
    </message>
    <message>
        <source>Merge into…</source>
        <translation>統合先を選ぶ…</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>これを知っている人…</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>ロック解除</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>ロック</translation>
    </message>
    <message>
        <source>Hide from the graph</source>
        <translation>グラフに表示しない</translation>
    </message>
    <message>
        <source>{one} and {other} are mentioned together</source>
        <translation>{one}と{other}は同じイベントに登場します</translation>
    </message>
    <message>
        <source>Read the floors that state it</source>
        <translation>原文を読む</translation>
    </message>
    <message>
        <source>Reword…</source>
        <translation>言い換える…</translation>
    </message>
    <message>
        <source>It ended…</source>
        <translation>終わった関係にする…</translation>
    </message>
    <message>
        <source>Still true</source>
        <translation>今も有効</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Fit everything</source>
        <translation>全体を表示</translation>
    </message>
    <message>
        <source>Fit what is selected</source>
        <translation>選択範囲を表示</translation>
    </message>
    <message>
        <source>Back to the most connected entity</source>
        <translation>最も関係の多いエンティティに戻る</translation>
    </message>
</context>
<context>
    <name>GraphPage</name>
    <message>
        <source>Graph; the list beside it has the same content</source>
        <translation>グラフ（横のリストにも同じ内容があります）</translation>
    </message>
    <message>
        <source>Hide the path</source>
        <translation>経路を隠す</translation>
    </message>
    <message>
        <source>Fit everything</source>
        <translation>全体を表示</translation>
    </message>
    <message>
        <source>Fit the selection</source>
        <translation>選択範囲に合わせる</translation>
    </message>
    <message>
        <source>Possible duplicates ({count})</source>
        <translation>同一の可能性（{count}）</translation>
    </message>
    <message>
        <source>Possible duplicates</source>
        <translation>同一の可能性</translation>
    </message>
    <message>
        <source>Update profiles with the model</source>
        <translation>モデルでプロフィールを更新</translation>
    </message>
    <message>
        <source>Look for duplicates</source>
        <translation>重複を探す</translation>
    </message>
    <message>
        <source>Hidden entities</source>
        <translation>非表示のエンティティ</translation>
    </message>
    <message>
        <source>Show {name} again</source>
        <translation>「{name}」を再表示</translation>
    </message>
    <message>
        <source>Showing {shown} of {total} entities: the best connected ones. Fewer hops, or another centre, show the rest.</source>
        <translation>{total}件中、関係の多い{shown}件のエンティティを表示しています。ホップ数を減らすか中心を変えると、残りを表示できます。</translation>
    </message>
    <message numerus="yes">
        <source>%n entity(ies) filtered out.</source>
        <translation>
            <numerusform>%n件のエンティティを除外中。</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop the layout</source>
        <translation>自動配置を停止</translation>
    </message>
    <message>
        <source>Go on with the layout</source>
        <translation>自動配置を続行</translation>
    </message>
    <message>
        <source>Lay out again</source>
        <translation>配置し直す</translation>
    </message>
    <message>
        <source>Nothing links {one} and {other}.</source>
        <translation>{one}と{other}の間につながりはありません。</translation>
    </message>
    <message>
        <source>Merge “{name}” into “{other}”?</source>
        <translation>「{name}」を「{other}」に統合しますか？</translation>
    </message>
    <message>
        <source>“{other}” exists already. Merge “{name}” into it?</source>
        <translation>「{other}」はすでにあります。「{name}」を統合しますか？</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>統合</translation>
    </message>
    <message>
        <source>Its names, events and relations move over. Undo takes it back.</source>
        <translation>名前・イベント・関係が移ります。元に戻せます。</translation>
    </message>
</context>
<context>
    <name>GraphPageModel</name>
    <message>
        <source>Saving the layout</source>
        <translation>配置の保存</translation>
    </message>
</context>
<context>
    <name>GraphRows</name>
    <message>
        <source>This was so before</source>
        <translation>以前の関係</translation>
    </message>
</context>
<context>
    <name>GraphTools</name>
    <message>
        <source>Find an entity</source>
        <translation>エンティティを検索</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>フィルター</translation>
    </message>
    <message>
        <source>Show fewer nodes and lines</source>
        <translation>表示するノードと線を絞り込む</translation>
    </message>
    <message>
        <source>Write on lines what they say</source>
        <translation>線に関係名を表示</translation>
    </message>
    <message>
        <source>Line labels</source>
        <translation>関係名</translation>
    </message>
    <message>
        <source>Only selected</source>
        <translation>選択したもののみ</translation>
    </message>
    <message>
        <source>Hide the lines of all that is not selected</source>
        <translation>選択していないエンティティの線を隠す</translation>
    </message>
    <message>
        <source>List</source>
        <translation>リスト</translation>
    </message>
    <message>
        <source>Show the list beside the graph</source>
        <translation>グラフの横にリストを表示</translation>
    </message>
    <message>
        <source>Possible duplicates</source>
        <translation>同一の可能性</translation>
    </message>
    <message>
        <source>Entities that may be one and the same</source>
        <translation>同一の可能性があるエンティティ</translation>
    </message>
    <message>
        <source>Back to the most connected entity</source>
        <translation>最も関係の多いエンティティに戻る</translation>
    </message>
    <message>
        <source>Lay out again</source>
        <translation>配置し直す</translation>
    </message>
    <message>
        <source>Fit everything (Ctrl+0)</source>
        <translation>全体を表示（Ctrl+0）</translation>
    </message>
    <message>
        <source>More</source>
        <translation>その他</translation>
    </message>
</context>
<context>
    <name>GroupList</name>
    <message>
        <source>Saying who is of a group</source>
        <translation>グループの所属を保存</translation>
    </message>
</context>
<context>
    <name>GroupsDialog</name>
    <message>
        <source>Groups</source>
        <translation>グループ</translation>
    </message>
    <message>
        <source>From joining on, members know what their group knows, and what it knew before. Those who leave keep that, and learn nothing later. What a group knows is said under “Who knows this”.</source>
        <translation>加入した時から、メンバーはグループが知っていることを、以前のことも含めて知ります。離れた人はそれを覚えていますが、その後のことは知りません。グループが何を知っているかは「誰が知っているか」で指定します。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>誰</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>グループ</translation>
    </message>
    <message>
        <source>at floor</source>
        <translation>フロア</translation>
    </message>
    <message>
        <source>Joins</source>
        <translation>加入する</translation>
    </message>
    <message>
        <source>Leaves</source>
        <translation>離れる</translation>
    </message>
    <message>
        <source>Nobody is in a group yet.</source>
        <translation>まだ誰もグループに属していません。</translation>
    </message>
    <message>
        <source>of {group} since floor {joined}</source>
        <translation>フロア{joined}から{group}に所属</translation>
    </message>
    <message>
        <source>of {group} from floor {joined} until floor {left}</source>
        <translation>フロア{joined}からフロア{left}まで{group}に所属</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>取り消す</translation>
    </message>
</context>
<context>
    <name>Guide</name>
    <message>
        <source>Saving a setting</source>
        <translation>設定の保存</translation>
    </message>
</context>
<context>
    <name>GuidePage</name>
    <message>
        <source>Skip all this</source>
        <translation>すべてスキップ</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>戻る</translation>
    </message>
    <message>
        <source>Step {number} of {count}</source>
        <translation>ステップ{number}/{count}</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>次へ</translation>
    </message>
</context>
<context>
    <name>HealthDialog</name>
    <message>
        <source>Library health</source>
        <translation>ライブラリの点検</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>点検中…</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>点検結果</translation>
    </message>
    <message>
        <source>Restore…</source>
        <translation>復元…</translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation>今すぐバックアップ</translation>
    </message>
    <message>
        <source>Rebuild the index</source>
        <translation>索引を再構築</translation>
    </message>
    <message>
        <source>Safe: vectors and index of “{chat}” are made again from what is stored.</source>
        <translation>安全な操作です。保存済みの内容から「{chat}」のベクトルと索引を作り直します。</translation>
    </message>
    <message>
        <source>Open a chat first: each has an index of its own.</source>
        <translation>先にチャットを開いてください。索引はチャットごとにあります。</translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) cannot be repaired. The newest backup that holds a damaged chat can give it back; everything else stays as it is now. The window opens again by itself.</source>
        <translation>
            <numerusform>修復できない項目が%n件あります。壊れたチャットは、それが入っている最新のバックアップから取り戻せます。ほかはすべて今のままです。ウィンドウは自動的に開き直します。</numerusform>
        </translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>修復</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>{finding} (repaired)</source>
        <translation>{finding}（修復済み）</translation>
    </message>
    <message>
        <source>Take from a backup</source>
        <translation>バックアップから取り戻す</translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) need attention.</source>
        <translation>
            <numerusform>対応が必要な項目が%n件あります。</numerusform>
        </translation>
    </message>
    <message>
        <source>Everything is in order.</source>
        <translation>すべて正常です。</translation>
    </message>
</context>
<context>
    <name>HelpDialog</name>
    <message>
        <source>Help</source>
        <translation>ヘルプ</translation>
    </message>
    <message>
        <source>Search the guide</source>
        <translation>ガイド内を検索</translation>
    </message>
    <message>
        <source>Chapters</source>
        <translation>章</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>ガイド</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>読み込み中…</translation>
    </message>
    <message>
        <source>All keys…</source>
        <translation>すべてのショートカットキー…</translation>
    </message>
    <message>
        <source>About Engram</source>
        <translation>Engramについて</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s)</source>
        <translation>
            <numerusform>%nか所</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HistoryDialog</name>
    <message>
        <source>History of this chat</source>
        <translation>このチャットの履歴</translation>
    </message>
    <message>
        <source>History of the library</source>
        <translation>ライブラリの履歴</translation>
    </message>
    <message>
        <source>What was done to world books, characters, regex scripts and prompts. Chats have a history each; settings have none.</source>
        <translation>ワールドブック、キャラクター、正規表現スクリプト、プロンプトに対する操作です。履歴はチャットごとに別にあり、設定にはありません。</translation>
    </message>
    <message>
        <source>Nothing was done yet.</source>
        <translation>操作はまだありません。</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>やり直す</translation>
    </message>
    <message>
        <source>Undo the newest step</source>
        <translation>直前の操作を元に戻す</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
</context>
<context>
    <name>HitCard</name>
    <message>
        <source>This answers it (for the lab)</source>
        <translation>この質問の正解にする（ラボ用）</translation>
    </message>
    <message>
        <source>Show its lines in the text</source>
        <translation>原文の該当箇所を表示</translation>
    </message>
    <message>
        <source>Do not use again</source>
        <translation>今後使わない</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>不使用</translation>
    </message>
    <message>
        <source>Found by {legs}</source>
        <translation>検出：{legs}</translation>
    </message>
    <message>
        <source>Matched {words}</source>
        <translation>一致：{words}</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message numerus="yes">
        <source>Import %n file(s)</source>
        <translation>
            <numerusform>%n件のファイルをインポート</numerusform>
        </translation>
    </message>
    <message>
        <source>The files themselves are only read, never changed.</source>
        <translation>ファイルは読み取るだけで、変更しません。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>インポート</translation>
    </message>
</context>
<context>
    <name>ImportPlan</name>
    <message>
        <source>Importing {name}</source>
        <translation>{name}のインポート</translation>
    </message>
    <message>
        <source>Importing {name} was stopped. What had come in is kept.</source>
        <translation>{name}のインポートを中止しました。読み込んだ分は残っています。</translation>
    </message>
    <message>
        <source>Imported again it goes on from there.</source>
        <translation>もう一度インポートすると続きから始まります。</translation>
    </message>
    <message>
        <source>Go on…</source>
        <translation>続ける…</translation>
    </message>
    <message>
        <source>Leave it so</source>
        <translation>このままにする</translation>
    </message>
    <message>
        <source>Import it again</source>
        <translation>もう一度インポート</translation>
    </message>
    <message>
        <source>Opening the demo</source>
        <translation>デモを開く</translation>
    </message>
    <message>
        <source>These are memories of a chat. Open or import the chat first.</source>
        <translation>これはチャットの記憶です。先に元のチャットを開くか、インポートしてください。</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) added</source>
        <translation>
            <numerusform>メッセージを%n件追加しました</numerusform>
        </translation>
    </message>
    <message>
        <source>“{name}”: nothing new</source>
        <translation>「{name}」：新しい内容はありません</translation>
    </message>
    <message numerus="yes">
        <source>{added}; %n line(s) could not be read</source>
        <translation>
            <numerusform>{added}（%n行は読み取れませんでした）</numerusform>
        </translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation>要約する…</translation>
    </message>
    <message>
        <source>Show the branch</source>
        <translation>この分岐を表示</translation>
    </message>
    <message>
        <source>Memories of other tools were found: {tools}</source>
        <translation>ほかのツールの記憶が見つかりました：{tools}</translation>
    </message>
    <message>
        <source>Look at them…</source>
        <translation>内容を見る…</translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s) added</source>
        <translation>
            <numerusform>正規表現スクリプトを%n件追加しました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“{name}” is in the library: %n world book entry(ies) added</source>
        <translation>
            <numerusform>「{name}」をライブラリに保存しました：ワールドブックの項目を%n件追加</numerusform>
        </translation>
    </message>
    <message>
        <source>“{name}” is in the library already</source>
        <translation>「{name}」はすでにライブラリにあります</translation>
    </message>
</context>
<context>
    <name>Inbox</name>
    <message>
        <source>Failed block</source>
        <translation>失敗したブロック</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>下書き</translation>
    </message>
    <message>
        <source>Contradiction</source>
        <translation>矛盾</translation>
    </message>
    <message>
        <source>Promise due</source>
        <translation>期限の来た約束</translation>
    </message>
    <message>
        <source>Doubtful</source>
        <translation>疑わしい</translation>
    </message>
    <message>
        <source>Stale</source>
        <translation>古くなった</translation>
    </message>
    <message>
        <source>Same entity?</source>
        <translation>同じエンティティ？</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>重複</translation>
    </message>
    <message>
        <source>The model&apos;s answer could not be used. Ask again, or mend it by hand?</source>
        <translation>モデルの回答は使えませんでした。もう一度尋ねますか、手で直しますか？</translation>
    </message>
    <message>
        <source>A model proposes these events. Shall they be remembered?</source>
        <translation>モデルが提案したイベントです。記憶しますか？</translation>
    </message>
    <message>
        <source>Both cannot be so, and nothing between them changed it. Which is true?</source>
        <translation>両方は成り立たず、その間に変わった様子もありません。どちらが本当ですか？</translation>
    </message>
    <message>
        <source>What it waited for has come up since. Was it kept?</source>
        <translation>待っていたことがその後出てきました。果たされましたか？</translation>
    </message>
    <message>
        <source>No line of its floors bears these sentences out. Is the event right?</source>
        <translation>そのフロアのどの行も、この文を裏づけていません。このイベントは正しいですか？</translation>
    </message>
    <message>
        <source>What it was made of has changed. Is it still right?</source>
        <translation>元になった内容が変わりました。今も正しいですか？</translation>
    </message>
    <message>
        <source>Are these two one and the same?</source>
        <translation>この2つは同じものですか？</translation>
    </message>
    <message>
        <source>These events say the same. Shall they become one?</source>
        <translation>これらのイベントは同じことを語っています。1つにまとめますか？</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>もう一度尋ねる</translation>
    </message>
    <message>
        <source>Save as drafted</source>
        <translation>下書きのまま保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>破棄</translation>
    </message>
    <message>
        <source>The later is true</source>
        <translation>後が本当</translation>
    </message>
    <message>
        <source>It was kept</source>
        <translation>果たされた</translation>
    </message>
    <message>
        <source>It is right</source>
        <translation>正しい</translation>
    </message>
    <message>
        <source>Still right</source>
        <translation>今も正しい</translation>
    </message>
    <message>
        <source>Merge the two</source>
        <translation>統合する</translation>
    </message>
    <message>
        <source>They are two</source>
        <translation>別のもの</translation>
    </message>
    <message>
        <source>Join into one</source>
        <translation>1つにまとめる</translation>
    </message>
    <message>
        <source>Not the same</source>
        <translation>同じではない</translation>
    </message>
    <message>
        <source>Put away</source>
        <translation>片づける</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>あとで</translation>
    </message>
</context>
<context>
    <name>InboxDetail</name>
    <message>
        <source>What these floors say now</source>
        <translation>このフロアの今の本文</translation>
    </message>
    <message>
        <source>What brings it up</source>
        <translation>きっかけの文</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>変更…</translation>
    </message>
    <message>
        <source>Key {key}</source>
        <translation>キー {key}</translation>
    </message>
    <message>
        <source>It comes back when it changes.</source>
        <translation>内容が変わるとまた現れます。</translation>
    </message>
    <message>
        <source>It comes back in {hours} hours, or when it changes.</source>
        <translation>{hours}時間後、または内容が変わるとまた現れます。</translation>
    </message>
    <message>
        <source>J and K move, Ctrl+Z undoes.</source>
        <translation>JとKで移動、Ctrl+Zで元に戻します。</translation>
    </message>
</context>
<context>
    <name>InboxList</name>
    <message>
        <source>Asking again</source>
        <translation>もう一度尋ねています</translation>
    </message>
</context>
<context>
    <name>InboxPage</name>
    <message>
        <source>Sentences of the newest {n} events that a model wrote are looked up.</source>
        <translation>モデルが書いた最新{n}件のイベントの文を照合します。</translation>
    </message>
    <message>
        <source>What waits for a decision</source>
        <translation>判断を待つもの</translation>
    </message>
    <message numerus="yes">
        <source>%n more follow as these are decided.</source>
        <translation>
            <numerusform>これらを片づけると、あと%n件続きます。</numerusform>
        </translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>待ち</translation>
    </message>
    <message>
        <source>Put off {n}</source>
        <translation>あとで {n}</translation>
    </message>
    <message>
        <source>Only you decide</source>
        <translation>決めるのはあなただけ</translation>
    </message>
    <message>
        <source>You see the chat as {name}. See everything to decide what waits.</source>
        <translation>{name}の視点で見ています。判断するには、すべての表示に戻してください。</translation>
    </message>
    <message>
        <source>All done</source>
        <translation>すべて完了</translation>
    </message>
    <message>
        <source>Nothing waits for a decision. Drafts, failed blocks, contradictions, promises that are due, doubtful and stale memories, and what may be there twice come here.</source>
        <translation>判断を待つものはありません。下書き、失敗したブロック、矛盾、期限の来た約束、疑わしい記憶や古くなった記憶、重複かもしれないものがここに現れます。</translation>
    </message>
    <message>
        <source>Show what was put off</source>
        <translation>あとでにしたものを表示</translation>
    </message>
</context>
<context>
    <name>InjectionPanel</name>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>What a prompt would get</source>
        <translation>プロンプトへの注入内容</translation>
    </message>
    <message>
        <source>The text that a model gets with this question, as soon as you ask.</source>
        <translation>質問すると、モデルがその質問とともに受け取る文章がここに表示されます。</translation>
    </message>
    <message>
        <source>Freeze</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Give this very text for some turns, so that the server&apos;s prompt cache stays good. It ends early if a memory in it is changed.</source>
        <translation>サーバーのプロンプトキャッシュを活かすため、数ターンの間この文面をそのまま渡します。含まれる記憶が変更されると、途中で終了します。</translation>
    </message>
    <message numerus="yes">
        <source>For %n turn(s)</source>
        <translation>
            <numerusform>%nターンの間</numerusform>
        </translation>
    </message>
    <message>
        <source>Compose again from now on</source>
        <translation>ここから組み立て直す</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%nトークン</numerusform>
        </translation>
    </message>
    <message>
        <source>Frozen until floor {floor}.</source>
        <translation>フロア{floor}まで固定します。</translation>
    </message>
    <message>
        <source>How much is needed could not be asked: {why}</source>
        <translation>必要な記憶の量を確認できませんでした：{why}</translation>
    </message>
    <message>
        <source>A small gesture: only what is always visible.</source>
        <translation>ちょっとした仕草：常時の内容のみ。</translation>
    </message>
    <message>
        <source>Ordinary talk: what is recalled, as usual.</source>
        <translation>普段の会話：通常どおり想起。</translation>
    </message>
    <message>
        <source>A turning point: what is recalled, and world books.</source>
        <translation>重要な場面：想起に加えてワールドブック。</translation>
    </message>
</context>
<context>
    <name>ItemList</name>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n項目</numerusform>
        </translation>
    </message>
    <message>
        <source>for every chat</source>
        <translation>すべてのチャットで使用</translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s)</source>
        <translation>
            <numerusform>正規表現スクリプト%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>on</source>
        <translation>オン</translation>
    </message>
    <message>
        <source>off</source>
        <translation>オフ</translation>
    </message>
    <message>
        <source>no description</source>
        <translation>説明なし</translation>
    </message>
    <message>
        <source>default</source>
        <translation>既定</translation>
    </message>
</context>
<context>
    <name>JobList</name>
    <message>
        <source>messages</source>
        <translation>件のメッセージ</translation>
    </message>
    <message>
        <source>memories indexed</source>
        <translation>件の記憶を索引化</translation>
    </message>
    <message>
        <source>floors read</source>
        <translation>フロアを読了</translation>
    </message>
    <message>
        <source>blocks summarised</source>
        <translation>ブロックを要約済み</translation>
    </message>
    <message>
        <source>blocks read again</source>
        <translation>ブロックを再読済み</translation>
    </message>
    <message>
        <source>events merged</source>
        <translation>件のイベントを統合</translation>
    </message>
    <message>
        <source>events archived</source>
        <translation>件のイベントをアーカイブ</translation>
    </message>
    <message>
        <source>events linked</source>
        <translation>件のイベントを接続</translation>
    </message>
    <message>
        <source>events read</source>
        <translation>件のイベントを読了</translation>
    </message>
    <message>
        <source>events</source>
        <translation>件のイベント</translation>
    </message>
    <message>
        <source>memories</source>
        <translation>件の記憶</translation>
    </message>
    <message>
        <source>drafts</source>
        <translation>件の下書き</translation>
    </message>
    <message>
        <source>questions</source>
        <translation>件の質問</translation>
    </message>
    <message>
        <source>chats</source>
        <translation>件のチャット</translation>
    </message>
    <message>
        <source>files</source>
        <translation>個のファイル</translation>
    </message>
    <message>
        <source>written</source>
        <translation>書き出し済み</translation>
    </message>
    <message numerus="yes">
        <source>about %n second(s) left</source>
        <translation>
            <numerusform>残り約%n秒</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation>
            <numerusform>残り約%n分</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeptStrip</name>
    <message>
        <source>Stop keeping it in sync; the file stays</source>
        <translation>同期を停止（ファイルは残ります）</translation>
    </message>
    <message>
        <source>Merge…</source>
        <translation>統合…</translation>
    </message>
    <message>
        <source>Shows both sides of each entry that was changed there</source>
        <translation>ファイル側で変更された項目を並べて比較します</translation>
    </message>
    <message>
        <source>Keep a new file…</source>
        <translation>新しいファイルに切り替える…</translation>
    </message>
    <message>
        <source>Writes this chat&apos;s memory to a new file; this one stays</source>
        <translation>このチャットの記憶を新しいファイルに書き出します。今のファイルはそのまま残ります</translation>
    </message>
    <message>
        <source>Take its changes as a book</source>
        <translation>変更をワールドブックとして取り込む</translation>
    </message>
    <message>
        <source>Imports the file as a world book of its own</source>
        <translation>ファイルを独立したワールドブックとしてインポートします</translation>
    </message>
    <message>
        <source>Sync now</source>
        <translation>今すぐ同期</translation>
    </message>
    <message>
        <source>{file} is not in sync. {why}</source>
        <translation>{file}は同期していません。{why}</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n項目</numerusform>
        </translation>
    </message>
    <message>
        <source>Kept in sync with {file} · {count} · written {time}</source>
        <translation>{file}と同期中 · {count} · 書き込み：{time}</translation>
    </message>
</context>
<context>
    <name>KeyMap</name>
    <message>
        <source>Press a key first.</source>
        <translation>先にキーを押してください。</translation>
    </message>
    <message>
        <source>Ctrl, Alt or a function key belongs to it: other keys type.</source>
        <translation>Ctrl、Altまたはファンクションキーが必要です。ほかのキーは文字入力に使われます。</translation>
    </message>
</context>
<context>
    <name>KeysDialog</name>
    <message>
        <source>Keys</source>
        <translation>ショートカットキー</translation>
    </message>
    <message>
        <source>Search keys and actions</source>
        <translation>ショートカットキーと操作を検索</translation>
    </message>
    <message>
        <source>Always so: Space toggles a lamp, Del deletes, Ctrl+A selects all, Esc clears or closes. Keys of a page are listed once it was shown.</source>
        <translation>共通の固定キー：Spaceでランプの切り替え、Delで削除、Ctrl+Aですべて選択、Escでクリアまたは閉じる。ページごとのキーは、そのページを一度表示すると一覧に加わります。</translation>
    </message>
    <message>
        <source>Restore all defaults</source>
        <translation>すべて既定に戻す</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Actions and their keys</source>
        <translation>操作とショートカットキー</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>New key</source>
        <translation>新しいキー</translation>
    </message>
    <message>
        <source>Use this key</source>
        <translation>このキーを使う</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>キーなし</translation>
    </message>
    <message>
        <source>Restore default</source>
        <translation>既定に戻す</translation>
    </message>
    <message>
        <source>Page: {name}</source>
        <translation>ページ：{name}</translation>
    </message>
    <message>
        <source>Changed by you</source>
        <translation>変更済み</translation>
    </message>
    <message>
        <source>{key} is the key of “{names}”. “Use this key” takes it from there.</source>
        <translation>{key}は「{names}」で使用中です。「このキーを使う」を押すと、こちらに割り当て直します。</translation>
    </message>
</context>
<context>
    <name>LabPage</name>
    <message>
        <source>How well is it remembered?</source>
        <translation>どれくらい正確に思い出せるか</translation>
    </message>
    <message>
        <source>Ask a question, tick the memories that answer it, and save them here. Then two ways to recall can be compared on all of them, and what stands in their prompts.</source>
        <translation>質問し、答えになる記憶にチェックを入れて、ここに保存します。保存した質問すべてで、2つの想起方法を比較したり、プロンプトに何が入るかを確認したりできます。</translation>
    </message>
    <message>
        <source>Two ways to recall</source>
        <translation>2つの想起方法</translation>
    </message>
    <message>
        <source>In the prompt</source>
        <translation>プロンプトの中身</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Look into the prompts</source>
        <translation>プロンプトを確認</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>How many questions were asked</source>
        <translation>質問の進み具合</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>もう一度質問</translation>
    </message>
    <message>
        <source>See its hits, and tick other memories</source>
        <translation>想起された記憶を見て、選び直します</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%nトークン</numerusform>
        </translation>
    </message>
    <message>
        <source>in the prompt</source>
        <translation>プロンプト内</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>見つかりません</translation>
    </message>
    <message>
        <source>place {rank} ({legs})</source>
        <translation>{rank}位（{legs}）</translation>
    </message>
</context>
<context>
    <name>LaneView</name>
    <message>
        <source>Threads over the floors</source>
        <translation>フロアごとの伏線</translation>
    </message>
    <message>
        <source>{who}: {text} ({status}, floors {floors})</source>
        <translation>{who}：{text}（{status}、フロア{floors}）</translation>
    </message>
</context>
<context>
    <name>LargeEditor</name>
    <message>
        <source>Edit the entry</source>
        <translation>項目の編集</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>タイトル</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>{words} words · {characters} characters · about {tokens} tokens</source>
        <translation>{words}語 · {characters}文字 · 約{tokens}トークン</translation>
    </message>
    <message>
        <source>{share} % of the budget</source>
        <translation>予算の{share}%</translation>
    </message>
</context>
<context>
    <name>LibraryFinder</name>
    <message>
        <source>Chats</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>Entities</source>
        <translation>エンティティ</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>Private logs</source>
        <translation>個人の記録</translation>
    </message>
    <message>
        <source>Private notes</source>
        <translation>非公開メモ</translation>
    </message>
    <message>
        <source>World books</source>
        <translation>ワールドブック</translation>
    </message>
    <message>
        <source>about {count}</source>
        <translation>約{count}</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>さらに%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>Only what {name} knows of this chat</source>
        <translation>このチャットは{name}が知ることのみ</translation>
    </message>
    <message>
        <source>Nothing was found</source>
        <translation>見つかりませんでした</translation>
    </message>
    <message>
        <source>No filter, searched as words: {words}</source>
        <translation>検索条件ではないため、語として検索しました：{words}</translation>
    </message>
    <message>
        <source>Cannot be opened: {names}</source>
        <translation>開けません：{names}</translation>
    </message>
    <message>
        <source>Saved searches</source>
        <translation>保存した検索</translation>
    </message>
    <message>
        <source>Recent searches</source>
        <translation>最近の検索</translation>
    </message>
    <message>
        <source>Chats, entities, events, messages, private logs and notes, world books</source>
        <translation>チャット、エンティティ、イベント、メッセージ、個人の記録、非公開メモ、ワールドブック</translation>
    </message>
    <message>
        <source>Always in context</source>
        <translation>常時</translation>
    </message>
    <message>
        <source>In context when recalled</source>
        <translation>トリガー</translation>
    </message>
    <message>
        <source>Stale</source>
        <translation>要更新</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>ロック</translation>
    </message>
</context>
<context>
    <name>LibraryHealth</name>
    <message numerus="yes">
        <source>%n thing(s) in the library need attention.</source>
        <translation>
            <numerusform>ライブラリに対応が必要な箇所が%n件あります。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Opening the library repaired %n thing(s).</source>
        <translation>
            <numerusform>ライブラリを開く際に%n件を修復しました。</numerusform>
        </translation>
    </message>
    <message>
        <source>Library health…</source>
        <translation>ライブラリの点検…</translation>
    </message>
    <message>
        <source>Checking the library</source>
        <translation>ライブラリの点検</translation>
    </message>
    <message>
        <source>Repairing the library</source>
        <translation>ライブラリの修復</translation>
    </message>
    <message>
        <source>Backing up</source>
        <translation>バックアップ</translation>
    </message>
    <message>
        <source>Restoring {file}</source>
        <translation>{file}の復元</translation>
    </message>
    <message>
        <source>Taking back what is damaged</source>
        <translation>壊れたものを取り戻しています</translation>
    </message>
    <message>
        <source>Rebuilding the index of “{chat}”</source>
        <translation>「{chat}」の索引を再構築中</translation>
    </message>
    <message>
        <source>The index of “{chat}” is rebuilt.</source>
        <translation>「{chat}」の索引を再構築しました。</translation>
    </message>
    <message>
        <source>Backed up to {file} before the repair</source>
        <translation>修復前に{file}にバックアップしました</translation>
    </message>
    <message>
        <source>Backed up to {file}</source>
        <translation>{file}にバックアップしました</translation>
    </message>
</context>
<context>
    <name>LibraryMenu</name>
    <message>
        <source>Show its folder</source>
        <translation>保存先のフォルダを開く</translation>
    </message>
    <message>
        <source>Move it to another folder…</source>
        <translation>別のフォルダに移動…</translation>
    </message>
    <message>
        <source>Open or begin another library…</source>
        <translation>別のライブラリを開く・新規作成…</translation>
    </message>
    <message>
        <source>First steps…</source>
        <translation>はじめに…</translation>
    </message>
    <message>
        <source>Leave safe mode</source>
        <translation>セーフモードを終了</translation>
    </message>
    <message>
        <source>Restart in safe mode</source>
        <translation>セーフモードで再起動</translation>
    </message>
    <message>
        <source>{path} (not there)</source>
        <translation>{path}（見つかりません）</translation>
    </message>
    <message>
        <source>Where the library shall lie</source>
        <translation>ライブラリの移動先</translation>
    </message>
    <message>
        <source>Folder of a library</source>
        <translation>ライブラリのフォルダ</translation>
    </message>
</context>
<context>
    <name>LinesStrip</name>
    <message>
        <source>Back</source>
        <translation>戻る</translation>
    </message>
    <message>
        <source>Take the mark away</source>
        <translation>マークを外す</translation>
    </message>
    <message>
        <source>Back to {page}</source>
        <translation>{page}に戻る</translation>
    </message>
    <message>
        <source>{floors}, asked for on {page}</source>
        <translation>{floors}（{page}から表示）</translation>
    </message>
</context>
<context>
    <name>LogCard</name>
    <message>
        <source>Stale</source>
        <translation>要更新</translation>
    </message>
</context>
<context>
    <name>LogDialog</name>
    <message>
        <source>Write a private log</source>
        <translation>個人の記録を書く</translation>
    </message>
    <message>
        <source>Whose it is</source>
        <translation>誰の記録か</translation>
    </message>
    <message>
        <source>What was thought or felt</source>
        <translation>心の中で考えたこと、感じたこと</translation>
    </message>
    <message>
        <source>For example: I watched the penguins all day. I want to go again with him.</source>
        <translation>例：一日中ペンギンを眺めていた。また彼と一緒に行きたい。</translation>
    </message>
    <message>
        <source>Emotions</source>
        <translation>感情</translation>
    </message>
    <message>
        <source>Floors it covers</source>
        <translation>対象のフロア</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
</context>
<context>
    <name>LogList</name>
    <message>
        <source>Only this character</source>
        <translation>本人のみ</translation>
    </message>
    <message>
        <source>Those who were there</source>
        <translation>その場にいた人</translation>
    </message>
    <message>
        <source>Everybody</source>
        <translation>全員</translation>
    </message>
    <message>
        <source>When a condition holds</source>
        <translation>条件を満たすとき</translation>
    </message>
    <message>
        <source>Saving a private log</source>
        <translation>個人の記録の保存</translation>
    </message>
    <message>
        <source>Adding a private log</source>
        <translation>個人の記録の追加</translation>
    </message>
    <message numerus="yes">
        <source>Deleting %n private log(s)</source>
        <translation>
            <numerusform>個人の記録%n件の削除</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n private log(s) deleted</source>
        <translation>
            <numerusform>ログ%n件を削除しました</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LogListModel</name>
    <message>
        <source>Stale</source>
        <translation>要更新</translation>
    </message>
</context>
<context>
    <name>LogPage</name>
    <message>
        <source>Search private logs</source>
        <translation>個人の記録を検索</translation>
    </message>
    <message>
        <source>Look back…</source>
        <translation>振り返る…</translation>
    </message>
    <message>
        <source>Let a model note what characters keep to themselves, and what was missed</source>
        <translation>キャラクターが胸に秘めていることと、見落とされていたことをモデルに書き留めさせます</translation>
    </message>
    <message>
        <source>Write…</source>
        <translation>書く…</translation>
    </message>
    <message>
        <source>Private logs</source>
        <translation>個人の記録</translation>
    </message>
    <message>
        <source>No private log matches</source>
        <translation>一致する個人の記録はありません</translation>
    </message>
    <message>
        <source>Try fewer words, or everybody.</source>
        <translation>検索語を減らすか、全員を対象にしてみてください。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>すべて表示</translation>
    </message>
    <message>
        <source>No private logs yet</source>
        <translation>個人の記録はまだありません</translation>
    </message>
    <message>
        <source>What a character felt or thought and told nobody. Only that character recalls it; you see everything.</source>
        <translation>キャラクターが誰にも話さなかった思いや考えです。想起するのは本人だけで、あなたはすべて読めます。</translation>
    </message>
    <message>
        <source>Write one…</source>
        <translation>書いてみる…</translation>
    </message>
    <message>
        <source>All {n}</source>
        <translation>すべて {n}</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>これを知っている人…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
</context>
<context>
    <name>LogPanel</name>
    <message>
        <source>No entry selected</source>
        <translation>記録が選択されていません</translation>
    </message>
    <message>
        <source>Select an entry to read and correct it, or write a new one.</source>
        <translation>記録を選ぶと内容を読んで修正できます。新しく書くこともできます。</translation>
    </message>
    <message>
        <source>Whose it is</source>
        <translation>誰の記録か</translation>
    </message>
    <message>
        <source>What was thought or felt</source>
        <translation>心の中で考えたこと、感じたこと</translation>
    </message>
    <message>
        <source>Emotions</source>
        <translation>感情</translation>
    </message>
    <message>
        <source>Who may know it</source>
        <translation>知ることができる人</translation>
    </message>
    <message>
        <source>Only while this holds</source>
        <translation>この条件が成り立つ間だけ</translation>
    </message>
    <message>
        <source>Floors it covers</source>
        <translation>対象のフロア</translation>
    </message>
    <message>
        <source>Read these floors</source>
        <translation>該当フロアの原文を読む</translation>
    </message>
    <message>
        <source>Private log</source>
        <translation>個人の記録</translation>
    </message>
    <message>
        <source>Delete this entry</source>
        <translation>この記録を削除</translation>
    </message>
    <message>
        <source>{floors} · stale: its messages changed</source>
        <translation>{floors} · 要更新：元のメッセージが変更されました</translation>
    </message>
</context>
<context>
    <name>LookStep</name>
    <message>
        <source>Welcome to Engram</source>
        <translation>Engramへようこそ</translation>
    </message>
    <message>
        <source>A few steps, each of which can be skipped. All of it is in the settings too.</source>
        <translation>いくつかの簡単なステップです。どれもスキップでき、後から設定でも変更できます。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>言語</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>テーマ</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>History…</source>
        <translation>履歴…</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>インポート</translation>
    </message>
    <message>
        <source>Chats, cards and books (*.jsonl *.json *.png *.charx *.lorebook);;All files (*)</source>
        <translation>チャット・カード・ワールドブック (*.jsonl *.json *.png *.charx *.lorebook);;すべてのファイル (*)</translation>
    </message>
</context>
<context>
    <name>MakeVolumeDialog</name>
    <message>
        <source>Make a volume of “{chat}”</source>
        <translation>「{chat}」から巻を作成</translation>
    </message>
    <message>
        <source>A volume holds what this chat remembers, with who knows it. Other chats read it as their earlier story; this chat stays as it is. Of a text of more than {most} characters the beginning is taken.</source>
        <translation>巻には、このチャットが覚えていることと、誰がそれを知っているかが入ります。他のチャットはそれを以前の物語として読みます。このチャットは変わりません。{most}文字を超えるテキストは冒頭だけを取ります。</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>題名</translation>
    </message>
    <message>
        <source>Title of the volume</source>
        <translation>巻の題名</translation>
    </message>
    <message>
        <source>Take along</source>
        <translation>入れるもの</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Make the volume</source>
        <translation>巻を作成</translation>
    </message>
    <message>
        <source>This chat remembers nothing yet: summarise it first.</source>
        <translation>このチャットにはまだ記憶がありません。先に要約してください。</translation>
    </message>
</context>
<context>
    <name>ManyPanel</name>
    <message>
        <source>What you change here changes in all of them, as one step.</source>
        <translation>ここでの変更は選択したすべてのイベントに反映され、1回の操作として元に戻せます。</translation>
    </message>
    <message>
        <source>Archived (green lamp)</source>
        <translation>アーカイブ済み（緑ランプ）</translation>
    </message>
    <message>
        <source>Confirmed by you</source>
        <translation>確認済み</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>ロック</translation>
    </message>
    <message>
        <source>Mixed: what is typed replaces it in all</source>
        <translation>値が異なります：入力するとすべて置き換わります</translation>
    </message>
    <message>
        <source>Story time</source>
        <translation>作中時間</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>Mixed</source>
        <translation>混在</translation>
    </message>
    <message>
        <source>Significance</source>
        <translation>重要度</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>キーワード</translation>
    </message>
    <message>
        <source>Add a keyword to all</source>
        <translation>すべてにキーワードを追加</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) selected</source>
        <translation>
            <numerusform>%n件のイベントを選択中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them are locked: what they say stays.</source>
        <translation>
            <numerusform>うち%n件はロックされているため、内容は変わりません。</numerusform>
        </translation>
    </message>
    <message>
        <source>{mark} · {n} of {all}</source>
        <translation>{mark} · {n}/{all}</translation>
    </message>
    <message>
        <source>Mixed: {low} to {high}</source>
        <translation>混在：{low}–{high}</translation>
    </message>
    <message>
        <source>Remove this keyword from all of them</source>
        <translation>すべてのイベントからこのキーワードを削除</translation>
    </message>
    <message>
        <source>None</source>
        <translation>なし</translation>
    </message>
</context>
<context>
    <name>MemberRow</name>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>イベント%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>メッセージ%n件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryEntry</name>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Show the event</source>
        <translation>イベントを表示</translation>
    </message>
    <message>
        <source>{mode} · order {order} · about {count} tokens</source>
        <translation>{mode} · 順序{order} · 約{count}トークン</translation>
    </message>
    <message>
        <source>Keywords: {keys}</source>
        <translation>キーワード：{keys}</translation>
    </message>
    <message>
        <source>Made from an event: change it there, and this follows.</source>
        <translation>イベントから作成された項目です。イベント側を変更すると、ここにも反映されます。</translation>
    </message>
    <message>
        <source>Made from this chat&apos;s memory; it follows whenever that changes.</source>
        <translation>このチャットの記憶から作成された項目です。記憶が変わると自動的に更新されます。</translation>
    </message>
</context>
<context>
    <name>MemoryFolders</name>
    <message>
        <source>Stopping to keep a folder</source>
        <translation>フォルダの同期をやめています</translation>
    </message>
    <message>
        <source>Keeping a folder in step</source>
        <translation>フォルダを同期しています</translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s) changed by files of {folder}</source>
        <translation>
            <numerusform>{folder}のファイルで%n件の記憶が変わりました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) of {folder} wait for your choice</source>
        <translation>
            <numerusform>{folder}の%n個のファイルが選択を待っています</numerusform>
        </translation>
    </message>
    <message>
        <source>See the chat&apos;s menu, Markdown folder.</source>
        <translation>チャットのメニューの「Markdownフォルダ」をご覧ください。</translation>
    </message>
</context>
<context>
    <name>MemoryMarks</name>
    <message>
        <source>Blue: always in context</source>
        <translation>青：常にコンテキストに含む</translation>
    </message>
    <message>
        <source>Green: archived, recalled</source>
        <translation>緑：アーカイブ済み、想起の対象</translation>
    </message>
    <message>
        <source>Stale: its messages have changed</source>
        <translation>要更新：元のメッセージが変更されています</translation>
    </message>
    <message>
        <source>Nothing is remembered of this</source>
        <translation>この部分の記憶はありません</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>ほか%n件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryShelf</name>
    <message>
        <source>Exporting</source>
        <translation>書き出し</translation>
    </message>
    <message>
        <source>Exporting what %1 knows</source>
        <translation>%1が知っていることの書き出し</translation>
    </message>
    <message>
        <source>Keeping a world book in sync</source>
        <translation>ワールドブックの同期開始</translation>
    </message>
    <message>
        <source>Syncing a world book</source>
        <translation>ワールドブックの同期</translation>
    </message>
    <message>
        <source>Importing a world book</source>
        <translation>ワールドブックのインポート</translation>
    </message>
    <message>
        <source>Stopping to sync a world book</source>
        <translation>ワールドブックの同期停止</translation>
    </message>
    <message numerus="yes">
        <source>World book of %n entry(ies) written</source>
        <translation>
            <numerusform>%n項目のワールドブックを書き出しました</numerusform>
        </translation>
    </message>
    <message>
        <source>{file} is kept in sync with this chat&apos;s memory now</source>
        <translation>{file}をこのチャットの記憶と同期するようにしました</translation>
    </message>
    <message>
        <source>Bind it to the character in SillyTavern. Reload SillyTavern&apos;s page to see later changes: an open page has its old copy, and what it saves has to be merged.</source>
        <translation>SillyTavernでキャラクターに紐付けてください。以降の変更を見るには、SillyTavernのページを再読み込みします。開いたままのページは古い内容を持っており、そこから保存されたものは統合が必要になります。</translation>
    </message>
    <message>
        <source>“{name}” is a world book of its own now</source>
        <translation>「{name}」は独立したワールドブックになりました</translation>
    </message>
    <message>
        <source>The file is no longer kept in sync. To go on, keep this chat&apos;s memory in a new one.</source>
        <translation>このファイルの同期は終了しました。同期を続けるには、このチャットの記憶を新しいファイルに保存してください。</translation>
    </message>
    <message>
        <source>{file} is in sync</source>
        <translation>{file}は同期済みです</translation>
    </message>
    <message>
        <source>{file} is not in sync</source>
        <translation>{file}は同期されていません</translation>
    </message>
    <message>
        <source>{why} Both are on the page of world books.</source>
        <translation>{why}どちらもワールドブックのページで確認できます。</translation>
    </message>
</context>
<context>
    <name>MergeDialog</name>
    <message>
        <source>Merge “{name}” into…</source>
        <translation>「{name}」の統合先…</translation>
    </message>
    <message>
        <source>Its names, events and relations move over. Undo takes it back.</source>
        <translation>名前・イベント・関係が移ります。元に戻せます。</translation>
    </message>
    <message>
        <source>The entity it is</source>
        <translation>統合先のエンティティ</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>統合</translation>
    </message>
</context>
<context>
    <name>MergeWorldbookDialog</name>
    <message>
        <source>Merge {file}</source>
        <translation>{file}の統合</translation>
    </message>
    <message>
        <source>The file is not what was written last: an open SillyTavern saved its own copy, or somebody edited it. Choose which side of each entry stays. What is taken from the file becomes part of the memory, as one step that can be undone; then the file is written again.</source>
        <translation>ファイルの内容が、最後に書き込んだものと異なります。開いていたSillyTavernが手元の内容を保存したか、誰かが編集したようです。項目ごとにどちらを残すか選んでください。ファイルから採用した内容は記憶に取り込まれ、1回の操作として元に戻せます。その後、ファイルを書き直します。</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>比較中…</translation>
    </message>
    <message>
        <source>Changed entries</source>
        <translation>変更された項目</translation>
    </message>
    <message>
        <source>Keep the memory&apos;s</source>
        <translation>記憶の内容を残す</translation>
    </message>
    <message>
        <source>Take the file&apos;s</source>
        <translation>ファイルの内容を採用</translation>
    </message>
    <message>
        <source>All from the file</source>
        <translation>すべてファイルを採用</translation>
    </message>
    <message>
        <source>All from the memory</source>
        <translation>すべて記憶を残す</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>統合</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) changed in the file</source>
        <translation>
            <numerusform>ファイル内で%n件の項目が変更されています</numerusform>
        </translation>
    </message>
    <message>
        <source>No entry was changed there: an older copy was saved. Merging writes the file from the memory.</source>
        <translation>項目の変更はなく、古い内容が保存されただけです。統合すると、記憶の内容でファイルを書き直します。</translation>
    </message>
    <message>
        <source>Settings of it were changed there too, such as its order or position. A memory has none: Engram sets them again.</source>
        <translation>順序や位置など、項目の設定も変更されています。記憶にはこれらの設定がないため、Engramが改めて設定します。</translation>
    </message>
</context>
<context>
    <name>MessageBar</name>
    <message numerus="yes">
        <source>%n more message(s)…</source>
        <translation>
            <numerusform>残り%n件のメッセージ…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MessageRows</name>
    <message>
        <source>{name} perceived nothing of this.</source>
        <translation>{name}はこの部分を見聞きしていません。</translation>
    </message>
</context>
<context>
    <name>Messages</name>
    <message>
        <source>Library health…</source>
        <translation>ライブラリの点検…</translation>
    </message>
</context>
<context>
    <name>MessagesDialog</name>
    <message>
        <source>Messages</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>Nothing was said yet.</source>
        <translation>まだメッセージはありません。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
</context>
<context>
    <name>MiniMap</name>
    <message>
        <source>Overview: click to go there</source>
        <translation>全体表示：クリックで移動</translation>
    </message>
</context>
<context>
    <name>ModelStep</name>
    <message>
        <source>A model, or none</source>
        <translation>モデルを使うかどうか</translation>
    </message>
    <message>
        <source>Without a model everything works and nothing is sent. With one, summaries, people and what binds them get richer.</source>
        <translation>モデルがなくてもすべての機能を使え、何も送信されません。モデルを使うと、要約、人物、関係がより充実します。</translation>
    </message>
    <message>
        <source>A server elsewhere…</source>
        <translation>ほかのサーバー…</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>もう一度探す</translation>
    </message>
    <message>
        <source>Looking for servers on this computer…</source>
        <translation>このコンピューターのサーバーを探しています…</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) at {url}</source>
        <translation>
            <numerusform>{url}にモデル%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用する</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>No server answered on this computer. Only this computer was asked.</source>
        <translation>このコンピューターでは、応答するサーバーが見つかりませんでした。問い合わせたのはこのコンピューターだけです。</translation>
    </message>
    <message>
        <source>{model} reads your chats from now on.</source>
        <translation>今後は{model}がチャットを読みます。</translation>
    </message>
</context>
<context>
    <name>MonthCells</name>
    <message>
        <source>Days of the story</source>
        <translation>物語の日々</translation>
    </message>
</context>
<context>
    <name>MonthGrid</name>
    <message>
        <source>The month before that has events</source>
        <translation>イベントのある前の月</translation>
    </message>
    <message>
        <source>The next month that has events</source>
        <translation>イベントのある次の月</translation>
    </message>
    <message>
        <source>{month} {year}</source>
        <translation>{year}年 {month}</translation>
    </message>
</context>
<context>
    <name>MutedList</name>
    <message>
        <source>Every memory may be used</source>
        <translation>すべての記憶が使用できます</translation>
    </message>
    <message>
        <source>“Do not use again” on a recalled memory puts it here.</source>
        <translation>想起された記憶で「今後使わない」を選ぶと、ここに表示されます。</translation>
    </message>
    <message>
        <source>Allow again</source>
        <translation>再び許可</translation>
    </message>
</context>
<context>
    <name>NameDialog</name>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>名前を変更</translation>
    </message>
</context>
<context>
    <name>NextPrompt</name>
    <message>
        <source>The earlier story</source>
        <translation>以前の物語</translation>
    </message>
    <message>
        <source>Recalled of the earlier story</source>
        <translation>想起した以前の物語</translation>
    </message>
    <message>
        <source>The story so far</source>
        <translation>これまでのあらすじ</translation>
    </message>
    <message>
        <source>Who is present</source>
        <translation>いま居る人</translation>
    </message>
    <message>
        <source>Recalled events</source>
        <translation>想起したイベント</translation>
    </message>
    <message>
        <source>Quoted messages</source>
        <translation>引用した原文</translation>
    </message>
    <message>
        <source>Entities</source>
        <translation>エンティティ</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>関係</translation>
    </message>
    <message>
        <source>Promises due</source>
        <translation>期限の来た約束</translation>
    </message>
    <message>
        <source>a volume that is read</source>
        <translation>読んでいる巻</translation>
    </message>
    <message>
        <source>always visible</source>
        <translation>常時表示</translation>
    </message>
    <message>
        <source>there now</source>
        <translation>今この場にいる</translation>
    </message>
    <message>
        <source>named, or linked to what came back</source>
        <translation>名前が出た、または想起したものとつながる</translation>
    </message>
    <message>
        <source>due, or still open</source>
        <translation>期限が来た、または未了</translation>
    </message>
</context>
<context>
    <name>NextPromptModel</name>
    <message>
        <source>Saving a setting</source>
        <translation>設定の保存</translation>
    </message>
    <message>
        <source>Muting a memory</source>
        <translation>記憶の使用停止</translation>
    </message>
    <message>
        <source>Archiving an event</source>
        <translation>イベントをアーカイブ</translation>
    </message>
    <message>
        <source>Making an event visible</source>
        <translation>イベントを常時表示に</translation>
    </message>
</context>
<context>
    <name>NextPromptView</name>
    <message>
        <source>Budget (tokens)</source>
        <translation>予算（トークン）</translation>
    </message>
    <message>
        <source>In this chat: what a prompt may hold of memory</source>
        <translation>このチャットのプロンプトに入る記憶の上限</translation>
    </message>
    <message>
        <source>Lines of the next prompt</source>
        <translation>次のプロンプトの各行</translation>
    </message>
    <message>
        <source>What the prompt says</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>トークン</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Enter reads its lines, Del leaves it out, P keeps it in.</source>
        <translation>Enterで原文、Delで外す、Pで常時表示。</translation>
    </message>
    <message>
        <source>Read its lines</source>
        <translation>原文を見る</translation>
    </message>
    <message>
        <source>Always visible</source>
        <translation>常時表示</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>外す</translation>
    </message>
    <message>
        <source>For floor {floor}: {text}</source>
        <translation>フロア{floor}に対して：{text}</translation>
    </message>
    <message>
        <source>Composing…</source>
        <translation>作成中…</translation>
    </message>
    <message>
        <source>The next prompt gets no memory</source>
        <translation>次のプロンプトに記憶は入りません</translation>
    </message>
    <message>
        <source>Nothing fits what was said last, or memory is off in this chat.</source>
        <translation>直前の発言に合う記憶がないか、このチャットの記憶がオフです。</translation>
    </message>
    <message>
        <source>{used} of {budget} tokens</source>
        <translation>{used} / {budget}トークン</translation>
    </message>
    <message>
        <source>Frozen until floor {floor}: {text}</source>
        <translation>フロア{floor}まで固定：{text}</translation>
    </message>
    <message>
        <source>No room in the budget: next in line</source>
        <translation>予算に入らない：次の候補</translation>
    </message>
</context>
<context>
    <name>NoteField</name>
    <message>
        <source>Private note</source>
        <translation>非公開メモ</translation>
    </message>
    <message>
        <source>For you alone: no model ever sees it.</source>
        <translation>あなただけのもの：どのモデルにも見えません。</translation>
    </message>
</context>
<context>
    <name>NoteMarks</name>
    <message>
        <source>You wrote a private note on this</source>
        <translation>ここに非公開メモがあります</translation>
    </message>
</context>
<context>
    <name>NothingListed</name>
    <message>
        <source>No event matches</source>
        <translation>一致するイベントはありません</translation>
    </message>
    <message>
        <source>Try fewer words, or show all events again.</source>
        <translation>検索語を減らすか、すべてのイベントを表示してください。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>すべて表示</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) wait for your review</source>
        <translation>
            <numerusform>%n個のブロックが確認待ちです</numerusform>
        </translation>
    </message>
    <message>
        <source>What was made of them becomes events once you have looked through it.</source>
        <translation>確認が済むと、内容がイベントになります。</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>確認…</translation>
    </message>
    <message>
        <source>No events yet</source>
        <translation>イベントはまだありません</translation>
    </message>
    <message numerus="yes">
        <source>%n floor(s) are waiting. A summary turns them into events you can read, correct and recall.</source>
        <translation>
            <numerusform>%nフロアが未処理です。要約すると、読んで修正し、想起できるイベントになります。</numerusform>
        </translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation>要約する…</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Dismiss</source>
        <translation>閉じる</translation>
    </message>
</context>
<context>
    <name>NoticesDialog</name>
    <message>
        <source>Third-party notices</source>
        <translation>サードパーティに関する表示</translation>
    </message>
    <message>
        <source>Engram Desktop is under the MIT licence. It is put together from these packages, each under its own.</source>
        <translation>Engram DesktopはMITライセンスで提供されています。以下のパッケージで構成され、それぞれ個別のライセンスが適用されます。</translation>
    </message>
    <message>
        <source>Search packages and licences</source>
        <translation>パッケージとライセンスを検索</translation>
    </message>
    <message>
        <source>Packages</source>
        <translation>パッケージ</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>ライセンス</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>読み込み中…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Licence: {licence}</source>
        <translation>ライセンス：{licence}</translation>
    </message>
    <message>
        <source>Home page: {address}</source>
        <translation>ホームページ：{address}</translation>
    </message>
    <message>
        <source>Contains: {what}</source>
        <translation>内容：{what}</translation>
    </message>
</context>
<context>
    <name>OtherAnswers</name>
    <message>
        <source>What another model makes of it</source>
        <translation>別のモデルによる要約</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>質問する</translation>
    </message>
    <message>
        <source>{model} answered:</source>
        <translation>{model}の応答：</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>問い合わせ中…</translation>
    </message>
</context>
<context>
    <name>OutlineModel</name>
    <message>
        <source>Level {level}</source>
        <translation>レベル{level}</translation>
    </message>
</context>
<context>
    <name>OutlineView</name>
    <message>
        <source>Outlines</source>
        <translation>あらすじ</translation>
    </message>
</context>
<context>
    <name>OverviewPage</name>
    <message>
        <source>The story so far</source>
        <translation>これまでのあらすじ</translation>
    </message>
    <message>
        <source>It appears here as memory is made.</source>
        <translation>記憶ができると、ここに物語が綴られます。</translation>
    </message>
    <message>
        <source>Key moments</source>
        <translation>名場面</translation>
    </message>
    <message>
        <source>The most important events are listed here.</source>
        <translation>特に重要なイベントがここに並びます。</translation>
    </message>
    <message>
        <source>The chat as a whole</source>
        <translation>チャット全体の概要</translation>
    </message>
</context>
<context>
    <name>PassageRelationDialog</name>
    <message>
        <source>Make a relation of these words</source>
        <translation>この言葉から関係をつくる</translation>
    </message>
    <message>
        <source>Floor {floor}: “{words}”</source>
        <translation>フロア{floor}：「{words}」</translation>
    </message>
    <message>
        <source>Who or what</source>
        <translation>誰（何）が</translation>
    </message>
    <message>
        <source>For example: trusts, lives in, friend</source>
        <translation>例：信頼している、住んでいる、友人</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>関係</translation>
    </message>
    <message>
        <source>The other entity</source>
        <translation>相手のエンティティ</translation>
    </message>
    <message>
        <source>Swap the two</source>
        <translation>入れ替える</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>Not in the graph: {names}. Select the name in the text and press N.</source>
        <translation>グラフにありません：{names}。本文でその名前を選び、Nを押してください。</translation>
    </message>
    <message>
        <source>It holds from floor {floor} on, until the story says otherwise.</source>
        <translation>フロア{floor}から成り立ち、物語が変わるまで続きます。</translation>
    </message>
</context>
<context>
    <name>PassageUses</name>
    <message>
        <source>Adding a memory</source>
        <translation>記憶を追加</translation>
    </message>
    <message>
        <source>Remembered: {floors}</source>
        <translation>記憶しました：{floors}</translation>
    </message>
    <message>
        <source>Adding a relation</source>
        <translation>関係を追加しています</translation>
    </message>
    <message>
        <source>Related, from floor {floor} on</source>
        <translation>関係を追加しました（フロア{floor}から）</translation>
    </message>
    <message>
        <source>Forgetting a thread</source>
        <translation>伏線を取り消し</translation>
    </message>
    <message>
        <source>No longer a thread</source>
        <translation>伏線ではなくなりました</translation>
    </message>
    <message>
        <source>Noting a thread</source>
        <translation>伏線を記録</translation>
    </message>
    <message>
        <source>Noted as an open thread: it stands on the page of findings</source>
        <translation>未回収の伏線として記録しました。真偽のページにあります</translation>
    </message>
    <message>
        <source>Adding an entity</source>
        <translation>エンティティを追加</translation>
    </message>
</context>
<context>
    <name>PastRecalls</name>
    <message>
        <source>Nothing was recalled yet</source>
        <translation>まだ何も想起されていません</translation>
    </message>
    <message>
        <source>Every recall is kept here for a while: what was found, and why.</source>
        <translation>想起の内容と理由は、しばらくの間ここに残ります。</translation>
    </message>
    <message>
        <source>Past recalls</source>
        <translation>想起の履歴</translation>
    </message>
    <message>
        <source>Why, and why not</source>
        <translation>想起された理由、されなかった理由</translation>
    </message>
    <message>
        <source>The text that was injected</source>
        <translation>注入されたテキスト</translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s)</source>
        <translation>
            <numerusform>記憶%n件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PinnedSearches</name>
    <message>
        <source>Saved searches</source>
        <translation>保存した検索</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>名前を変更</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>固定を解除</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
</context>
<context>
    <name>Pipeline</name>
    <message numerus="yes">
        <source>Summed up in %n outline(s)</source>
        <translation>
            <numerusform>あらすじ%n件に集約</numerusform>
        </translation>
    </message>
    <message>
        <source>{outlines}; made without a model, nothing is sent.</source>
        <translation>{outlines}。モデルを使わずに作成し、何も送信しません。</translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) to {model}</source>
        <translation>
            <numerusform>{model}にリクエスト%n回</numerusform>
        </translation>
    </message>
    <message>
        <source>{outlines}; {requests}, about {tokens} tokens to read.</source>
        <translation>{outlines}。{requests}、入力は約{tokens}トークンです。</translation>
    </message>
    <message>
        <source>Summarising</source>
        <translation>要約</translation>
    </message>
    <message>
        <source>Summarising again</source>
        <translation>再要約</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) made</source>
        <translation>
            <numerusform>イベントを%n件作成</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) were not started.</source>
        <translation>
            <numerusform>%n個のブロックは未着手です。</numerusform>
        </translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試行</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
    <message numerus="yes">
        <source>{made}, but %n block(s) failed.</source>
        <translation>
            <numerusform>{made}。%n個のブロックは失敗しました。</numerusform>
        </translation>
    </message>
    <message>
        <source>What was finished is kept; the failed floors can be tried again.</source>
        <translation>完了した分は保存されています。失敗したフロアは再試行できます。</translation>
    </message>
    <message numerus="yes">
        <source>No event was made of %n message(s).</source>
        <translation>
            <numerusform>%n件のメッセージはイベントになりませんでした。</numerusform>
        </translation>
    </message>
    <message>
        <source>They are SillyTavern’s own notices and comments. What you hid with /hide is remembered all the same.</source>
        <translation>SillyTavern自身の通知やコメントです。/hideで隠したメッセージは通常どおり記録されます。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) are ready for your review.</source>
        <translation>
            <numerusform>%n個のブロックが確認待ちです。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing is saved before you say so.</source>
        <translation>確認するまで何も保存されません。</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>確認…</translation>
    </message>
    <message>
        <source>Consolidating memory</source>
        <translation>記憶の整理</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) archived</source>
        <translation>
            <numerusform>イベント%n件をアーカイブ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entity(s) added</source>
        <translation>
            <numerusform>エンティティを%n件追加</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n relation(s) added</source>
        <translation>
            <numerusform>関係を%n件追加</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outline(s) made</source>
        <translation>
            <numerusform>あらすじ%n件を作成</numerusform>
        </translation>
    </message>
    <message>
        <source>{done}.</source>
        <translation>{done}。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message numerus="yes">
        <source>%n archived event(s) are in no outline.</source>
        <translation>
            <numerusform>アーカイブ済みのイベント%n件が、どのあらすじにも含まれていません。</numerusform>
        </translation>
    </message>
    <message>
        <source>A prompt knows of them only when they are recalled.</source>
        <translation>想起されたときにだけプロンプトに入ります。</translation>
    </message>
    <message>
        <source>Make outlines…</source>
        <translation>あらすじを作成…</translation>
    </message>
    <message>
        <source>Trimming</source>
        <translation>スリム化</translation>
    </message>
    <message>
        <source>Trimming stopped early.</source>
        <translation>スリム化は途中で終了しました。</translation>
    </message>
    <message>
        <source>There is nothing to trim.</source>
        <translation>スリム化できるものはありません。</translation>
    </message>
    <message>
        <source>Always visible: {tokens} tokens. Locked and newest events stay.</source>
        <translation>常時表示：{tokens}トークン。ロックされたイベントと最新のイベントはそのまま残ります。</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) merged</source>
        <translation>
            <numerusform>イベントを%n件統合</numerusform>
        </translation>
    </message>
    <message>
        <source>{events}, {outlines}.</source>
        <translation>{events}、{outlines}。</translation>
    </message>
    <message>
        <source>Always visible: {before} → {after} tokens.</source>
        <translation>常時表示：{before} → {after}トークン。</translation>
    </message>
    <message>
        <source>Stopped. What was finished is kept.</source>
        <translation>中止しました。完了した分は保存されています。</translation>
    </message>
</context>
<context>
    <name>PlaceFinder</name>
    <message>
        <source>Chats</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>Branches of this chat</source>
        <translation>このチャットの分岐</translation>
    </message>
    <message>
        <source>Entities of this chat</source>
        <translation>このチャットのエンティティ</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Type the name of a chat, a branch or an entity</source>
        <translation>チャット、分岐、エンティティの名前を入力</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>該当する名前はありません</translation>
    </message>
</context>
<context>
    <name>PlayChat</name>
    <message>
        <source>Waiting for a reply</source>
        <translation>返答の待機</translation>
    </message>
    <message>
        <source>Continuing the reply</source>
        <translation>返答の続きの生成</translation>
    </message>
    <message>
        <source>Asking for another reply</source>
        <translation>返答の再生成</translation>
    </message>
    <message>
        <source>Choosing another reading</source>
        <translation>別の返答の選択</translation>
    </message>
    <message>
        <source>Editing a message</source>
        <translation>メッセージの編集</translation>
    </message>
    <message>
        <source>Deleting messages</source>
        <translation>メッセージの削除</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) deleted</source>
        <translation>
            <numerusform>メッセージを%n件削除しました</numerusform>
        </translation>
    </message>
    <message>
        <source>Forking</source>
        <translation>分岐の作成</translation>
    </message>
    <message>
        <source>Routine</source>
        <translation>日常</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>会話</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>Numbers change, and nothing is remembered of it.</source>
        <translation>数値だけが変わり、記憶には残りません。</translation>
    </message>
    <message>
        <source>Ordinary talk, with the story and the state.</source>
        <translation>あらすじと状態を踏まえた、ふつうの会話です。</translation>
    </message>
    <message>
        <source>It matters: everything is recalled, and an event is recorded.</source>
        <translation>重要な場面です。すべてを想起し、イベントとして記録します。</translation>
    </message>
    <message>
        <source>set by hand</source>
        <translation>手動で指定</translation>
    </message>
    <message>
        <source>by the model for triage</source>
        <translation>振り分け用モデルの判定</translation>
    </message>
    <message>
        <source>by rules</source>
        <translation>ルールによる判定</translation>
    </message>
    <message>
        <source>as the scene is written</source>
        <translation>シナリオどおり</translation>
    </message>
    <message>
        <source>{count} recalled</source>
        <translation>想起{count}件</translation>
    </message>
    <message>
        <source>What {name} was reminded of</source>
        <translation>{name}が思い出したこと</translation>
    </message>
    <message>
        <source>Recorded: {event}</source>
        <translation>記録：{event}</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>停止しました</translation>
    </message>
    <message>
        <source>The limit of tokens was reached, or the connection broke.</source>
        <translation>トークンの上限に達したか、接続が切れました。</translation>
    </message>
    <message>
        <source>Cut off: continue</source>
        <translation>途中で切れています：続ける</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>心の声</translation>
    </message>
</context>
<context>
    <name>PlayPage</name>
    <message>
        <source>What was said</source>
        <translation>発言の記録</translation>
    </message>
    <message>
        <source>End the session…</source>
        <translation>会話を終了…</translation>
    </message>
    <message>
        <source>Look back: what was missed, and what each keeps to themselves</source>
        <translation>振り返り：見落としと、それぞれが胸に秘めていることを書き留めます</translation>
    </message>
    <message>
        <source>New chat…</source>
        <translation>新しいチャット…</translation>
    </message>
    <message>
        <source>No model is set up, so nobody can reply here.</source>
        <translation>モデルが設定されていないため、返答できません。</translation>
    </message>
    <message>
        <source>Play our scene without one</source>
        <translation>モデルなしで用意されたシーンを演じる</translation>
    </message>
    <message>
        <source>Set up a model…</source>
        <translation>モデルを設定…</translation>
    </message>
    <message>
        <source>{player} with {names}</source>
        <translation>{player}と{names}</translation>
    </message>
    <message>
        <source>Nothing was said yet</source>
        <translation>まだ会話はありません</translation>
    </message>
    <message>
        <source>Talk with a character of the library, or several in one scene. Every chat can be gone on with here.</source>
        <translation>ライブラリのキャラクターと1対1で、または複数人を同じ場面に集めて会話できます。どのチャットもここで続けられます。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Edit here</source>
        <translation>ここで編集</translation>
    </message>
    <message>
        <source>Continue the reply</source>
        <translation>返信の続きを書く</translation>
    </message>
    <message>
        <source>Another reply</source>
        <translation>別の返答</translation>
    </message>
    <message>
        <source>Fork here</source>
        <translation>ここから分岐させる</translation>
    </message>
    <message>
        <source>Memories of this message</source>
        <translation>このメッセージの記憶</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>これを知っている人…</translation>
    </message>
    <message>
        <source>Delete this message</source>
        <translation>このメッセージを削除</translation>
    </message>
    <message numerus="yes">
        <source>Delete this and the %n after it</source>
        <translation>
            <numerusform>このメッセージと以降の%n件を削除</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlayStart</name>
    <message>
        <source>Beginning a chat</source>
        <translation>チャットの開始</translation>
    </message>
</context>
<context>
    <name>Portrait</name>
    <message>
        <source>Picture of {name}</source>
        <translation>{name}の画像</translation>
    </message>
</context>
<context>
    <name>PrivateNoteModel</name>
    <message>
        <source>Saving a private note</source>
        <translation>非公開メモを保存しています</translation>
    </message>
</context>
<context>
    <name>ProgressCard</name>
    <message>
        <source>Memory</source>
        <translation>記憶</translation>
    </message>
    <message>
        <source>Events, floors and cast are as seen from here. What waits, what failed and what it cost are as they are now.</source>
        <translation>イベント・フロア・登場人物は、いまの視点とフロアでの数です。確認待ち・失敗・費用は視点に関わらず現在の数です。</translation>
    </message>
    <message>
        <source>buffer</source>
        <translation>バッファ</translation>
    </message>
    <message>
        <source>archived</source>
        <translation>アーカイブ済み</translation>
    </message>
    <message>
        <source>outlines</source>
        <translation>あらすじ</translation>
    </message>
    <message>
        <source>floors unread</source>
        <translation>未読のフロア</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>要更新</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>wait for review</source>
        <translation>確認待ち</translation>
    </message>
    <message>
        <source>This chat: {spent}</source>
        <translation>このチャット：{spent}</translation>
    </message>
    <message>
        <source>Whole library: {spent}</source>
        <translation>ライブラリ全体：{spent}</translation>
    </message>
    <message>
        <source>{done} of {all} floors have become memory</source>
        <translation>全{all}フロア中{done}フロアが記憶済み</translation>
    </message>
    <message>
        <source>no model was asked</source>
        <translation>モデルは未使用</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens}トークン</translation>
    </message>
</context>
<context>
    <name>PromiseSection</name>
    <message numerus="yes">
        <source>Promises · %n open</source>
        <translation>
            <numerusform>約束 · 未解決%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>Promises</source>
        <translation>約束</translation>
    </message>
    <message>
        <source>open</source>
        <translation>未解決</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>果たされた</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>破られた</translation>
    </message>
</context>
<context>
    <name>PromptEditor</name>
    <message>
        <source>People and card</source>
        <translation>人物とカード</translation>
    </message>
    <message>
        <source>Messages and chat</source>
        <translation>メッセージとチャット</translation>
    </message>
    <message>
        <source>Choice, time, variables</source>
        <translation>選択、時間、変数</translation>
    </message>
    <message>
        <source>Saving a prompt</source>
        <translation>プロンプトの保存</translation>
    </message>
    <message>
        <source>Resetting a prompt</source>
        <translation>プロンプトの初期化</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>Does the answer stand in the prompt?</source>
        <translation>答えはプロンプトに入るか</translation>
    </message>
    <message>
        <source>The prompt of every question is composed with each budget. The table shows whether what should be found stands in it, and how many tokens it takes. Nothing is changed.</source>
        <translation>各予算で、質問ごとにプロンプトを組み立てます。見つけるべき記憶がその中にあるか、何トークン使うかを表に示します。何も変更されません。</translation>
    </message>
    <message>
        <source>Budgets (tokens)</source>
        <translation>予算（トークン）</translation>
    </message>
    <message>
        <source>Such as 1000, 2000, 6000; empty: as in the settings</source>
        <translation>例：1000, 2000, 6000。空欄なら設定どおり</translation>
    </message>
</context>
<context>
    <name>PromptPage</name>
    <message>
        <source>System part</source>
        <translation>システムプロンプト</translation>
    </message>
    <message>
        <source>User part</source>
        <translation>ユーザープロンプト</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>プレビュー</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>Language of the story</source>
        <translation>物語の言語</translation>
    </message>
    <message>
        <source>For Chinese stories</source>
        <translation>中国語の物語用</translation>
    </message>
    <message>
        <source>For English stories</source>
        <translation>英語の物語用</translation>
    </message>
    <message>
        <source>How the answer is asked for</source>
        <translation>応答の形式</translation>
    </message>
    <message>
        <source>Ask for JSON</source>
        <translation>JSONで求める</translation>
    </message>
    <message>
        <source>Ask for plain text</source>
        <translation>プレーンテキストで求める</translation>
    </message>
    <message>
        <source>Model: the usual one</source>
        <translation>モデル：既定のもの</translation>
    </message>
    <message>
        <source>Base URL: the usual one</source>
        <translation>ベースURL：既定のもの</translation>
    </message>
    <message>
        <source>The API key is sent only to the server it was entered for.</source>
        <translation>APIキーは、入力時に指定したサーバーにのみ送信されます。</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>初期化</translation>
    </message>
    <message>
        <source>Use the built-in prompt again</source>
        <translation>内蔵のプロンプトに戻す</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差分</translation>
    </message>
    <message>
        <source>From the built-in prompt, as it is saved</source>
        <translation>保存済みの内容と内蔵プロンプトの差分</translation>
    </message>
    <message>
        <source>The very request this task would send next for this chat; nothing is sent</source>
        <translation>このタスクが現在のチャットで次に送るリクエストをそのまま表示します。送信はされません</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>More…</source>
        <translation>その他…</translation>
    </message>
    <message>
        <source>More macros</source>
        <translation>その他のマクロ</translation>
    </message>
    <message>
        <source>Nothing is known of {names}: it would be sent as it stands.</source>
        <translation>{names}は不明なため、このままの形で送信されます。</translation>
    </message>
    <message>
        <source>Programs between &lt;% and %&gt; are off, and would be sent as they stand. Switch them on in the settings, under Text of messages.</source>
        <translation>&lt;%と%&gt;で囲んだプログラムは無効になっており、このままの形で送信されます。設定の「メッセージのテキスト」で有効にできます。</translation>
    </message>
    <message>
        <source>Your own</source>
        <translation>カスタム</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>内蔵</translation>
    </message>
    <message>
        <source>About {tokens} tokens, for {model}</source>
        <translation>約{tokens}トークン（{model}）</translation>
    </message>
    <message>
        <source>no model yet</source>
        <translation>モデル未設定</translation>
    </message>
    <message>
        <source>Nothing differs.</source>
        <translation>差分はありません。</translation>
    </message>
</context>
<context>
    <name>QAbstractFileIconProvider</name>
    <message>
        <source>Folder</source>
        <translation>フォルダ</translation>
    </message>
    <message>
        <source>Drive</source>
        <translation>ドライブ</translation>
    </message>
    <message>
        <source>File</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>%1 File</source>
        <translation>%1ファイル</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>不明</translation>
    </message>
</context>
<context>
    <name>QFileDialog</name>
    <message>
        <source>&amp;Look in:</source>
        <translation>場所(&amp;L):</translation>
    </message>
    <message>
        <source>Files of &amp;type:</source>
        <translation>ファイルの種類(&amp;T):</translation>
    </message>
    <message>
        <source>Computer</source>
        <translation>コンピューター</translation>
    </message>
</context>
<context>
    <name>QuestionBox</name>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
</context>
<context>
    <name>QuestionTable</name>
    <message>
        <source>Questions of the lab</source>
        <translation>ラボの質問</translation>
    </message>
    <message>
        <source>Question and what it should find</source>
        <translation>質問と、見つけるべき記憶</translation>
    </message>
    <message>
        <source>All questions</source>
        <translation>すべての質問</translation>
    </message>
    <message>
        <source>{memory} (is no more)</source>
        <translation>{memory}（削除済み）</translation>
    </message>
</context>
<context>
    <name>QuickFinding</name>
    <message>
        <source>Filters of events</source>
        <translation>イベントのフィルター</translation>
    </message>
    <message>
        <source>Search everything</source>
        <translation>すべてを検索</translation>
    </message>
    <message>
        <source>Type what you want to do</source>
        <translation>したいことを入力</translation>
    </message>
    <message>
        <source>Go to a chat, a branch or an entity</source>
        <translation>チャット・分岐・エンティティへ移動</translation>
    </message>
</context>
<context>
    <name>QuickPanel</name>
    <message>
        <source>Search everything</source>
        <translation>すべてを検索</translation>
    </message>
    <message>
        <source>Save this search</source>
        <translation>この検索を保存</translation>
    </message>
    <message>
        <source>What may be typed</source>
        <translation>入力できる内容</translation>
    </message>
    <message>
        <source>↑ ↓ choose · Enter open · Del forget · Esc close</source>
        <translation>↑ ↓ 選択 · Enter 開く · Del 履歴から削除 · Esc 閉じる</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>検索結果</translation>
    </message>
    <message>
        <source>Save this search no longer</source>
        <translation>この検索の保存を解除</translation>
    </message>
</context>
<context>
    <name>ReadingChat</name>
    <message>
        <source>Editing a message</source>
        <translation>メッセージの編集</translation>
    </message>
    <message>
        <source>Floor {floor} was edited</source>
        <translation>フロア{floor}を編集しました</translation>
    </message>
    <message>
        <source>Hiding messages</source>
        <translation>メッセージの非表示化</translation>
    </message>
    <message>
        <source>Showing messages</source>
        <translation>メッセージの再表示</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) hidden from prompts; memory is as it was</source>
        <translation>
            <numerusform>メッセージ%n件をプロンプトから除外しました（記憶は変わりません）</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) shown to prompts again</source>
        <translation>
            <numerusform>メッセージ%n件を再びプロンプトに含めました</numerusform>
        </translation>
    </message>
    <message>
        <source>Deleting messages</source>
        <translation>メッセージの削除</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) deleted</source>
        <translation>
            <numerusform>メッセージを%n件削除しました</numerusform>
        </translation>
    </message>
    <message>
        <source>Forking</source>
        <translation>分岐の作成</translation>
    </message>
    <message>
        <source>{text}. SillyTavern&apos;s own file is not touched: it says what it said.</source>
        <translation>{text}。SillyTavern側のファイルは変更されず、元の内容のままです。</translation>
    </message>
    <message>
        <source>Messages missing before this</source>
        <translation>これより前のメッセージが欠けています</translation>
    </message>
    <message>
        <source>Private note</source>
        <translation>非公開メモ</translation>
    </message>
    <message>
        <source>The program it came from sent only its newest messages, and those before this one were not among them. They are put in here as soon as a request shows them.</source>
        <translation>送信元のプログラムは最新のメッセージだけを送り、これより前のものは含まれていませんでした。後のリクエストに含まれれば、ここに補われます。</translation>
    </message>
</context>
<context>
    <name>ReadingPage</name>
    <message>
        <source>The chat as it was written</source>
        <translation>チャットの原文</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>フロア</translation>
    </message>
    <message>
        <source>Go to floor</source>
        <translation>フロアに移動</translation>
    </message>
    <message>
        <source>of {last}</source>
        <translation>/ {last}</translation>
    </message>
    <message>
        <source>This chat has no messages</source>
        <translation>このチャットにはメッセージがありません</translation>
    </message>
    <message>
        <source>Import it again, or say something on the play page.</source>
        <translation>インポートし直すか、プレイページで会話を始めてください。</translation>
    </message>
</context>
<context>
    <name>ReadingPanel</name>
    <message>
        <source>Remember this…</source>
        <translation>ここを記憶…</translation>
    </message>
    <message>
        <source>Remembered of these floors</source>
        <translation>これらのフロアの記憶</translation>
    </message>
    <message>
        <source>Open on the events page</source>
        <translation>イベントページで開く</translation>
    </message>
    <message>
        <source>No floor chosen</source>
        <translation>フロアが選択されていません</translation>
    </message>
    <message>
        <source>Click a message to see what is remembered of it.</source>
        <translation>メッセージをクリックすると、そこから何が記憶されたかを確認できます。</translation>
    </message>
</context>
<context>
    <name>RecallLab</name>
    <message>
        <source>Saving a question of the lab</source>
        <translation>ラボの質問の保存</translation>
    </message>
    <message>
        <source>Deleting a question of the lab</source>
        <translation>ラボの質問の削除</translation>
    </message>
    <message>
        <source>Comparing two ways to recall</source>
        <translation>2つの想起方法の比較</translation>
    </message>
    <message>
        <source>Looking into prompts</source>
        <translation>プロンプトの確認</translation>
    </message>
</context>
<context>
    <name>RecallPage</name>
    <message>
        <source>Ask</source>
        <translation>質問する</translation>
    </message>
    <message>
        <source>Next prompt</source>
        <translation>次のプロンプト</translation>
    </message>
    <message>
        <source>Past recalls</source>
        <translation>想起の履歴</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>ラボ</translation>
    </message>
    <message>
        <source>What a prompt would get</source>
        <translation>プロンプトへの注入内容</translation>
    </message>
    <message>
        <source>Why not others</source>
        <translation>ほかが選ばれなかった理由</translation>
    </message>
    <message>
        <source>Ask, or paste the newest message of the chat</source>
        <translation>質問するか、チャットの最新メッセージを貼り付けてください</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>質問</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>想起</translation>
    </message>
    <message>
        <source>Let the model reword</source>
        <translation>モデルに言い換えさせる</translation>
    </message>
    <message>
        <source>The chat model says first what “her” and “that thing” mean. One short request.</source>
        <translation>「彼女」や「あれ」が何を指すのかを、先にチャットモデルに確認します。短いリクエストを1回送ります。</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Budget (tokens)</source>
        <translation>予算（トークン）</translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s)</source>
        <translation>
            <numerusform>記憶%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>Save to the lab</source>
        <translation>ラボに保存</translation>
    </message>
    <message>
        <source>What would be remembered?</source>
        <translation>何が想起されるか</translation>
    </message>
    <message>
        <source>Type what is about to be said. You see which memories come back, and why.</source>
        <translation>これから話す内容を入力すると、どの記憶がなぜ想起されるかを確認できます。</translation>
    </message>
    <message>
        <source>Too far from the question: a prompt would get none of these.</source>
        <translation>質問との関連が薄すぎるため、プロンプトには何も入りません。</translation>
    </message>
    <message>
        <source>Try other words, or make more of the chat into events first.</source>
        <translation>別の言葉で試すか、先にチャットのより多くの部分をイベントにしてください。</translation>
    </message>
    <message>
        <source>Nothing comes to mind</source>
        <translation>何も思い出しませんでした</translation>
    </message>
    <message>
        <source>Not used</source>
        <translation>使わない記憶</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>Entity</source>
        <translation>エンティティ</translation>
    </message>
    <message>
        <source>Private log</source>
        <translation>個人の記録</translation>
    </message>
    <message>
        <source>words</source>
        <translation>語句</translation>
    </message>
    <message>
        <source>words of the conversation</source>
        <translation>会話中の語句</translation>
    </message>
    <message>
        <source>meaning</source>
        <translation>意味</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>グラフ</translation>
    </message>
    <message>
        <source>who spoke</source>
        <translation>話し手</translation>
    </message>
    <message>
        <source>date</source>
        <translation>日付</translation>
    </message>
    <message>
        <source>names a time</source>
        <translation>時期への言及</translation>
    </message>
    <message>
        <source>is itself a question</source>
        <translation>それ自体が質問文</translation>
    </message>
    <message>
        <source>reranker</source>
        <translation>リランカー</translation>
    </message>
    <message>
        <source>how recent it is</source>
        <translation>新しさ</translation>
    </message>
    <message>
        <source>word for word</source>
        <translation>一字一句同じ</translation>
    </message>
    <message>
        <source>answers a quoted question</source>
        <translation>引用された問いへの答え</translation>
    </message>
    <message>
        <source>Others fitted better</source>
        <translation>他の記憶を優先</translation>
    </message>
    <message>
        <source>The reranker put others first</source>
        <translation>リランカーがほかを優先しました</translation>
    </message>
    <message>
        <source>Says the same as one above</source>
        <translation>上の記憶と内容が重複しています</translation>
    </message>
    <message>
        <source>You said: do not use again</source>
        <translation>「今後使わない」に指定されています</translation>
    </message>
    <message>
        <source>Always visible anyway</source>
        <translation>もともと常時表示です</translation>
    </message>
    <message>
        <source>Still in the chat itself</source>
        <translation>まだチャット内に残っています</translation>
    </message>
    <message>
        <source>More than the settings allow</source>
        <translation>設定の件数を超えています</translation>
    </message>
    <message>
        <source>No room in the token budget</source>
        <translation>トークン予算に収まりません</translation>
    </message>
    <message>
        <source>Deleted meanwhile</source>
        <translation>その間に削除されました</translation>
    </message>
    <message>
        <source>Its messages changed</source>
        <translation>元のメッセージが変更されています</translation>
    </message>
    <message>
        <source>Too far from the question</source>
        <translation>質問との関連が薄すぎます</translation>
    </message>
    <message>
        <source>Has too little to do with the question</source>
        <translation>質問との関連が小さすぎます</translation>
    </message>
    <message>
        <source>Rests: it stood in the prompts of the last replies</source>
        <translation>休み：直近の返信のプロンプトに入っていました</translation>
    </message>
    <message>
        <source>the index (exact search took its place)</source>
        <translation>索引（代わりに全件検索を使用）</translation>
    </message>
    <message>
        <source>the meaning of words (no embedder answered)</source>
        <translation>言葉の意味（埋め込みモデルが応答なし）</translation>
    </message>
    <message>
        <source>the reranker (it did not answer)</source>
        <translation>リランカー（応答なし）</translation>
    </message>
    <message>
        <source>the model that rewords questions (it did not answer)</source>
        <translation>質問を言い換えるモデル（応答なし）</translation>
    </message>
    <message>
        <source>who learnt what in the newest floors (another program is writing)</source>
        <translation>最新のフロアで誰が何を知ったか（別のプログラムが書き込み中）</translation>
    </message>
    <message>
        <source>a volume that is missing or cannot be read</source>
        <translation>見つからない、または読めない巻</translation>
    </message>
    <message>
        <source>what is over or untrue (it is not worked out yet in so long a chat)</source>
        <translation>何が過去のもので何が偽りか（これほど長いチャットではまだ調べ終わっていません）</translation>
    </message>
    <message>
        <source>Could not take part: {parts}.</source>
        <translation>参加できなかったもの：{parts}。</translation>
    </message>
</context>
<context>
    <name>RecallPageModel</name>
    <message>
        <source>Holding the injection still</source>
        <translation>注入内容の固定</translation>
    </message>
    <message>
        <source>Composing injections again</source>
        <translation>注入内容の再作成</translation>
    </message>
    <message>
        <source>Muting a memory</source>
        <translation>記憶の使用停止</translation>
    </message>
    <message>
        <source>Allowing a memory</source>
        <translation>記憶の使用許可</translation>
    </message>
</context>
<context>
    <name>ReflectDialog</name>
    <message>
        <source>Look back</source>
        <translation>振り返り</translation>
    </message>
    <message>
        <source>A model reads the floors once more: events that were missed go to the buffer, and what each character keeps to himself or herself becomes a private log. Each block can be undone by itself.</source>
        <translation>モデルがフロアをもう一度読みます。見落とされたイベントはバッファに入り、各キャラクターが胸に秘めていることは個人の記録になります。ブロックごとに元に戻せます。</translation>
    </message>
    <message>
        <source>What is new since the last time</source>
        <translation>前回以降の新しい部分</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>計算中…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>There is nothing new to look back on.</source>
        <translation>新たに振り返る部分はありません。</translation>
    </message>
    <message>
        <source>Floors that are not summarised yet, and the newest, are left for later.</source>
        <translation>未要約のフロアと最新のフロアは、次回以降に回します。</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s), floors {first}–{last}</source>
        <translation>
            <numerusform>%n個のブロック、フロア{first}–{last}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{model} is asked %n time(s), once per character and block: about {tokens} tokens to read.</source>
        <translation>
            <numerusform>{model}に%n回リクエストします（キャラクターとブロックごとに1回）。入力は約{tokens}トークンです。</numerusform>
        </translation>
    </message>
    <message>
        <source>This needs a model. Set up a chat endpoint in the settings first.</source>
        <translation>この操作にはモデルが必要です。先に設定でチャットの接続先を登録してください。</translation>
    </message>
</context>
<context>
    <name>Reflecting</name>
    <message>
        <source>Looking back</source>
        <translation>振り返り</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) made</source>
        <translation>
            <numerusform>イベントを%n件作成</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n private log(s) written</source>
        <translation>
            <numerusform>個人の記録%n件を作成</numerusform>
        </translation>
    </message>
    <message>
        <source>{events}, {logs}.</source>
        <translation>{events}、{logs}。</translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) contained nothing new.</source>
        <translation>
            <numerusform>%n件の応答には新しい内容がありませんでした。</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Looking back stopped at floors {first}–{last}.</source>
        <translation>振り返りはフロア{first}–{last}で停止しました。</translation>
    </message>
    <message>
        <source>These floors are asked about again the next time.</source>
        <translation>次回はこれらのフロアから再開します。</translation>
    </message>
    <message>
        <source>Stopped. What was finished is kept.</source>
        <translation>中止しました。完了した分は保存されています。</translation>
    </message>
</context>
<context>
    <name>RelationCard</name>
    <message>
        <source>Change this relation</source>
        <translation>この関係を変更</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>手動で追加</translation>
    </message>
    <message>
        <source>since floor {floor}</source>
        <translation>フロア{floor}から</translation>
    </message>
    <message>
        <source>floors {first}–{last}</source>
        <translation>フロア{first}–{last}</translation>
    </message>
    <message>
        <source>until floor {floor}</source>
        <translation>フロア{floor}まで</translation>
    </message>
    <message numerus="yes">
        <source>stated in %n event(s)</source>
        <translation>
            <numerusform>%n件のイベントに登場</numerusform>
        </translation>
    </message>
    <message>
        <source>then: {fact}</source>
        <translation>その後：{fact}</translation>
    </message>
</context>
<context>
    <name>RelationList</name>
    <message>
        <source>Add a relation…</source>
        <translation>関係を追加…</translation>
    </message>
    <message>
        <source>None</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Before ({count})</source>
        <translation>以前（{count}）</translation>
    </message>
    <message>
        <source>Reword…</source>
        <translation>言い換える…</translation>
    </message>
    <message>
        <source>It ended…</source>
        <translation>終わった関係にする…</translation>
    </message>
    <message>
        <source>Still true</source>
        <translation>今も有効</translation>
    </message>
    <message>
        <source>As the story tells</source>
        <translation>物語に従う</translation>
    </message>
    <message>
        <source>Read floor {floor}</source>
        <translation>フロア{floor}を読む</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
</context>
<context>
    <name>Releases</name>
    <message>
        <source>Engram Desktop {version} is out.</source>
        <translation>Engram Desktop {version}が公開されました。</translation>
    </message>
    <message>
        <source>Read about it</source>
        <translation>詳細を見る</translation>
    </message>
</context>
<context>
    <name>RememberForm</name>
    <message>
        <source>What happened</source>
        <translation>起きたこと</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>キーワード</translation>
    </message>
    <message>
        <source>Let the model write it</source>
        <translation>モデルに書かせる</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Remember</source>
        <translation>記憶する</translation>
    </message>
    <message>
        <source>Remember: {floors}</source>
        <translation>記憶する：{floors}</translation>
    </message>
    <message>
        <source>Reading the floors…</source>
        <translation>フロアを読み込み中…</translation>
    </message>
    <message>
        <source>It joins the buffer, blue, and is archived with the others.</source>
        <translation>青ランプとしてバッファに入り、ほかのイベントと一緒にアーカイブされます。</translation>
    </message>
</context>
<context>
    <name>Remembering</name>
    <message>
        <source>Adding a memory</source>
        <translation>記憶の追加</translation>
    </message>
    <message>
        <source>Remembered: {floors}</source>
        <translation>記憶しました：{floors}</translation>
    </message>
</context>
<context>
    <name>ReplaceDialog</name>
    <message>
        <source>Find and replace</source>
        <translation>検索と置換</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Type what to look for.</source>
        <translation>検索する内容を入力してください。</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>検索</translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation>置換後の文字列</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>大文字と小文字を区別</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正規表現</translation>
    </message>
    <message>
        <source>As in the scripts; $1 stands for the first group.</source>
        <translation>書き方はスクリプトと同じです。$1は1番目のグループを表します。</translation>
    </message>
    <message>
        <source>Of the events only: what an entity is called is changed on the graph page.</source>
        <translation>変更されるのはイベント内の表記だけです。エンティティの名前はグラフページで変更します。</translation>
    </message>
    <message numerus="yes">
        <source>%n selected event(s)</source>
        <translation>
            <numerusform>選択したイベント%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) of the list</source>
        <translation>
            <numerusform>一覧のイベント%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>Tick all</source>
        <translation>すべて選択</translation>
    </message>
    <message>
        <source>Tick none</source>
        <translation>すべて解除</translation>
    </message>
    <message>
        <source>What would change</source>
        <translation>変更される内容</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) would change.</source>
        <translation>
            <numerusform>%nか所が変更されます。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing would change.</source>
        <translation>変更される箇所はありません。</translation>
    </message>
    <message numerus="yes">
        <source>%n locked event(s) are left out.</source>
        <translation>
            <numerusform>ロックされたイベント%n件は対象外です。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) whose summary would be empty stay.</source>
        <translation>
            <numerusform>要約が空になるイベント%n件は、そのまま残ります。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace in %n place(s)</source>
        <translation>
            <numerusform>%nか所を置換</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Engram crashed the last time</source>
        <translation>Engramは前回、異常終了しました</translation>
    </message>
    <message>
        <source>Something went wrong that should not have</source>
        <translation>予期しないエラーが発生しました</translation>
    </message>
    <message>
        <source>What was saved is safe. The report below holds no story text and no key. Nothing is sent: copy it into an issue if you wish.</source>
        <translation>保存済みの内容に影響はありません。下の報告には物語の文章もキーも含まれず、どこにも送信されません。必要に応じてコピーし、不具合の報告に貼り付けてください。</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>報告</translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation>報告をコピー</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>If it crashes again, begin in safe mode: no automation, no scripts, no server.</source>
        <translation>再び異常終了する場合は、セーフモードで起動してください。自動処理、スクリプト、サーバーがすべて無効になります。</translation>
    </message>
    <message>
        <source>Restart in safe mode</source>
        <translation>セーフモードで再起動</translation>
    </message>
</context>
<context>
    <name>RequestsDialog</name>
    <message>
        <source>Requests to models</source>
        <translation>モデルへのリクエスト</translation>
    </message>
    <message>
        <source>Held in memory until the program ends, stored nowhere, without any key.</source>
        <translation>プログラムの終了までメモリ上にのみ保持されます。どこにも保存されず、キーも含まれません。</translation>
    </message>
    <message>
        <source>What was asked</source>
        <translation>送信内容</translation>
    </message>
    <message>
        <source>What came back</source>
        <translation>応答内容</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>At</source>
        <translation>日時</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>プロンプトのトークン数</translation>
    </message>
    <message>
        <source>Answer tokens</source>
        <translation>応答のトークン数</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>費用</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>所要時間</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>No model has been asked yet.</source>
        <translation>まだモデルへのリクエストはありません。</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>応答あり</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds}秒</translation>
    </message>
</context>
<context>
    <name>RestoreDialog</name>
    <message>
        <source>Restore a backup</source>
        <translation>バックアップの復元</translation>
    </message>
    <message>
        <source>All chats, books and settings become what they were then. The library as it is now is backed up first and kept in its trash folder. Keys are not touched. The window opens again by itself.</source>
        <translation>すべてのチャット、ブック、設定がバックアップ時の状態に戻ります。現在のライブラリは先にバックアップされ、ごみ箱フォルダに保管されます。キーには影響しません。ウィンドウは自動的に開き直します。</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>バックアップ</translation>
    </message>
    <message>
        <source>Another file…</source>
        <translation>別のファイル…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>復元</translation>
    </message>
    <message>
        <source>There is no backup yet.</source>
        <translation>バックアップはまだありません。</translation>
    </message>
    <message>
        <source>Choose a backup</source>
        <translation>バックアップの選択</translation>
    </message>
    <message>
        <source>Backups ({endings})</source>
        <translation>バックアップ ({endings})</translation>
    </message>
</context>
<context>
    <name>Review</name>
    <message>
        <source>Saving what was reviewed</source>
        <translation>確認済みの内容の保存</translation>
    </message>
    <message>
        <source>Discarding drafts</source>
        <translation>下書きの破棄</translation>
    </message>
    <message>
        <source>Asking again</source>
        <translation>再リクエスト</translation>
    </message>
    <message>
        <source>Asking {model}</source>
        <translation>{model}に問い合わせ中</translation>
    </message>
    <message>
        <source>Reading the answer</source>
        <translation>応答の読み取り</translation>
    </message>
    <message>
        <source>Saving a setting</source>
        <translation>設定の保存</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) were not saved.</source>
        <translation>
            <numerusform>%n個のブロックは保存されませんでした。</numerusform>
        </translation>
    </message>
    <message>
        <source>Their messages have changed since. Ask again, or discard them.</source>
        <translation>その後メッセージが変更されています。もう一度リクエストするか、破棄してください。</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) saved</source>
        <translation>
            <numerusform>イベントを%n件保存しました</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>It failed again.</source>
        <translation>再び失敗しました。</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) made</source>
        <translation>
            <numerusform>イベントを%n件作成しました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n draft(s) discarded</source>
        <translation>
            <numerusform>下書きを%n件破棄しました</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewDialog</name>
    <message>
        <source>Review before saving</source>
        <translation>保存前に確認</translation>
    </message>
    <message>
        <source>Correct what is wrong; leave out what is not worth keeping.</source>
        <translation>誤りを直し、残す必要のないものはチェックを外してください。</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>ブロック</translation>
    </message>
    <message>
        <source>To be saved</source>
        <translation>保存する内容</translation>
    </message>
    <message>
        <source>There now; what is ticked will be replaced</source>
        <translation>現在のイベント（チェックしたものは置き換えられます）</translation>
    </message>
    <message>
        <source>Where it comes from</source>
        <translation>出典</translation>
    </message>
    <message>
        <source>Save without asking from now on</source>
        <translation>今後は確認せずに保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>破棄</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>再リクエスト</translation>
    </message>
    <message>
        <source>Read its messages</source>
        <translation>元のメッセージを読む</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Nothing waits: what a model writes comes here before it is saved.</source>
        <translation>待っているものはありません。モデルが書いたものは、保存前にここに並びます。</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>イベント%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>redone</source>
        <translation>再作成</translation>
    </message>
    <message>
        <source>outdated: the messages have changed</source>
        <translation>要更新：メッセージが変更されています</translation>
    </message>
    <message>
        <source>locked</source>
        <translation>ロック</translation>
    </message>
    <message>
        <source>written by hand</source>
        <translation>手書き</translation>
    </message>
    <message numerus="yes">
        <source>Save all %n block(s)</source>
        <translation>
            <numerusform>%n個のブロックをすべて保存</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RewordDialog</name>
    <message>
        <source>Reword the relation</source>
        <translation>関係を言い換える</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>関係</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
</context>
<context>
    <name>RowEditor</name>
    <message>
        <source>The message</source>
        <translation>メッセージの内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
</context>
<context>
    <name>RowMenu</name>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Remember this…</source>
        <translation>ここを記憶…</translation>
    </message>
    <message>
        <source>Its memory on the events page</source>
        <translation>イベントページで記憶を表示</translation>
    </message>
    <message>
        <source>{kind}: “{words}”</source>
        <translation>{kind}：「{words}」</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>これを知っている人…</translation>
    </message>
    <message>
        <source>See everything as of here</source>
        <translation>この時点ですべてを見る</translation>
    </message>
    <message>
        <source>Edit here</source>
        <translation>ここで編集</translation>
    </message>
    <message>
        <source>Show to prompts</source>
        <translation>プロンプトに含める</translation>
    </message>
    <message>
        <source>Hide from prompts</source>
        <translation>プロンプトから除外</translation>
    </message>
    <message>
        <source>Fork here</source>
        <translation>ここから分岐させる</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n message(s)</source>
        <translation>
            <numerusform>メッセージを%n件削除</numerusform>
        </translation>
    </message>
    <message>
        <source>Make of these words</source>
        <translation>選んだ文章から作る</translation>
    </message>
    <message>
        <source>An event…</source>
        <translation>イベント…</translation>
    </message>
    <message>
        <source>A fact of somebody or something…</source>
        <translation>人や物についての事実…</translation>
    </message>
    <message>
        <source>An open thread: a promise, a hint</source>
        <translation>未回収の伏線：約束やほのめかし</translation>
    </message>
    <message>
        <source>A person, place or thing</source>
        <translation>人物・場所・物品</translation>
    </message>
    <message>
        <source>A relation between two…</source>
        <translation>二者の関係…</translation>
    </message>
    <message>
        <source>No longer a thread</source>
        <translation>伏線ではなくする</translation>
    </message>
</context>
<context>
    <name>SafeStrip</name>
    <message>
        <source>Safe mode: no automation, no scripts, no server, nothing by itself</source>
        <translation>セーフモード：自動処理、スクリプト、サーバーは無効です。自動では何も行われません</translation>
    </message>
    <message>
        <source>Leave safe mode</source>
        <translation>セーフモードを終了</translation>
    </message>
</context>
<context>
    <name>SameInbox</name>
    <message>
        <source>Merging</source>
        <translation>統合</translation>
    </message>
    <message>
        <source>Keeping apart</source>
        <translation>別のものとして登録</translation>
    </message>
    <message>
        <source>Looking for duplicates</source>
        <translation>重複の検索</translation>
    </message>
    <message>
        <source>Updating profiles</source>
        <translation>プロフィールの更新</translation>
    </message>
    <message>
        <source>“{name}” was merged.</source>
        <translation>「{name}」を統合しました。</translation>
    </message>
    <message>
        <source>Nothing new looks like one entity.</source>
        <translation>新たな重複候補はありません。</translation>
    </message>
    <message>
        <source>There is no new event since the last update.</source>
        <translation>前回の更新以降、新しい内容はありません。</translation>
    </message>
    <message numerus="yes">
        <source>%n profile(s) updated</source>
        <translation>
            <numerusform>プロフィールを%n件更新しました</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
</context>
<context>
    <name>SamePage</name>
    <message>
        <source>No two entities look like one</source>
        <translation>重複と思われるエンティティはありません</translation>
    </message>
    <message>
        <source>Names that resemble each other are asked about when memory is consolidated.</source>
        <translation>記憶を整理するときに似た名前が見つかると、ここで確認を求めます。</translation>
    </message>
    <message>
        <source>Look through the whole graph</source>
        <translation>グラフ全体を調べる</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>ほか%n件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SavedFilters</name>
    <message>
        <source>“{name}” is kept beside the chats. F2 renames it there.</source>
        <translation>「{name}」をサイドバーに保存しました。サイドバーでF2を押すと名前を変更できます。</translation>
    </message>
    <message>
        <source>“{name}” stays in the menu of the events page.</source>
        <translation>「{name}」は、イベントページのメニューに残ります。</translation>
    </message>
    <message>
        <source>The filter “{name}” was deleted.</source>
        <translation>フィルター「{name}」を削除しました。</translation>
    </message>
</context>
<context>
    <name>SavedSearches</name>
    <message>
        <source>“{name}” stays among the saved searches of Ctrl+K.</source>
        <translation>「{name}」は、Ctrl+Kの保存した検索に残ります。</translation>
    </message>
    <message>
        <source>The search “{name}” was deleted.</source>
        <translation>検索「{name}」を削除しました。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
</context>
<context>
    <name>ScriptList</name>
    <message>
        <source>For all chats</source>
        <translation>すべてのチャット</translation>
    </message>
    <message>
        <source>Of a preset</source>
        <translation>プリセット</translation>
    </message>
    <message>
        <source>Of a character</source>
        <translation>キャラクター</translation>
    </message>
    <message>
        <source>As it was written</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>EJS programs</source>
        <translation>EJSプログラム</translation>
    </message>
    <message>
        <source>Importing regex scripts</source>
        <translation>正規表現スクリプトのインポート</translation>
    </message>
    <message>
        <source>The regex script “{name}” was deleted</source>
        <translation>正規表現スクリプト「{name}」を削除しました</translation>
    </message>
    <message>
        <source>Changing regex scripts</source>
        <translation>正規表現スクリプトの変更</translation>
    </message>
    <message>
        <source>Engram&apos;s own</source>
        <translation>Engram内蔵</translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s) written</source>
        <translation>
            <numerusform>正規表現スクリプトを%n件書き出しました</numerusform>
        </translation>
    </message>
    <message>
        <source>The regex script “{name}” was switched off.</source>
        <translation>正規表現スクリプト「{name}」を無効にしました。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
</context>
<context>
    <name>ScriptPage</name>
    <message>
        <source>Messages go through these before a model reads them, from top to bottom. What is stored never changes. Scripts that only change the display are not run.</source>
        <translation>メッセージはモデルに渡される前に、上から順にこれらの処理を通ります。保存された原文は変わりません。表示だけを変えるスクリプトは実行されません。</translation>
    </message>
    <message>
        <source>Scripts and rules</source>
        <translation>スクリプトとルール</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Whose</source>
        <translation>適用元</translation>
    </message>
    <message>
        <source>Looks for</source>
        <translation>検索対象</translation>
    </message>
    <message>
        <source>Add scripts…</source>
        <translation>スクリプトを追加…</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>上へ</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>下へ</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>書き出す…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Text to try it on</source>
        <translation>試すテキスト</translation>
    </message>
    <message>
        <source>What comes of it</source>
        <translation>処理結果</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>試す</translation>
    </message>
    <message>
        <source>Run the chosen script, or all that are on</source>
        <translation>選択したスクリプトを実行します。選択がなければ、有効なものをすべて実行します</translation>
    </message>
    <message>
        <source>Add scripts</source>
        <translation>スクリプトの追加</translation>
    </message>
    <message>
        <source>Regex scripts (*.json);;All files (*)</source>
        <translation>正規表現スクリプト (*.json);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出す</translation>
    </message>
    <message>
        <source>Regex scripts (*.json)</source>
        <translation>正規表現スクリプト (*.json)</translation>
    </message>
</context>
<context>
    <name>SearchStrip</name>
    <message>
        <source>Search this chat</source>
        <translation>このチャットを検索</translation>
    </message>
    <message>
        <source>The one before (Shift+F3)</source>
        <translation>前を検索 (Shift+F3)</translation>
    </message>
    <message>
        <source>The next one (F3)</source>
        <translation>次を検索 (F3)</translation>
    </message>
    <message>
        <source>{percent} %</source>
        <translation>{percent}%</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>見つかりません</translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>{n}/{total}</translation>
    </message>
</context>
<context>
    <name>SecretList</name>
    <message>
        <source>Saying who must not learn it</source>
        <translation>知られてはいけない人の指定</translation>
    </message>
</context>
<context>
    <name>SecretsDialog</name>
    <message>
        <source>Secrets</source>
        <translation>秘密</translation>
    </message>
    <message>
        <source>Memories that some of the cast know and others do not.</source>
        <translation>登場人物の一部だけが知っている記憶です。</translation>
    </message>
    <message>
        <source>Search secrets</source>
        <translation>秘密を検索</translation>
    </message>
    <message>
        <source>Nothing is a secret: everybody knows what happened, or nobody was there.</source>
        <translation>秘密はありません。起きたことは全員が知っているか、その場に誰もいませんでした。</translation>
    </message>
    <message>
        <source>Who must not learn it</source>
        <translation>知られてはいけない人</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>これを知っている人…</translation>
    </message>
    <message>
        <source>Read the messages</source>
        <translation>メッセージを読む</translation>
    </message>
    <message>
        <source>Groups…</source>
        <translation>グループ…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Floors</source>
        <translation>フロア</translation>
    </message>
    <message>
        <source>Who knows</source>
        <translation>知っている人</translation>
    </message>
    <message>
        <source>Not for</source>
        <translation>隠す相手</translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message>
        <source>Archive</source>
        <translation>アーカイブ</translation>
    </message>
    <message>
        <source>To buffer</source>
        <translation>バッファに戻す</translation>
    </message>
    <message>
        <source>Confirm</source>
        <translation>確認済みにする</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>ロック</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>ロック解除</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>すべて選択</translation>
    </message>
    <message>
        <source>Invert selection</source>
        <translation>選択を反転</translation>
    </message>
    <message>
        <source>Clear selection</source>
        <translation>選択を解除</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) selected</source>
        <translation>
            <numerusform>%n件のイベントを選択中</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Serving</name>
    <message>
        <source>Memory put in</source>
        <translation>記憶を追加</translation>
    </message>
    <message>
        <source>Nothing to add</source>
        <translation>追加なし</translation>
    </message>
    <message>
        <source>No known chat</source>
        <translation>チャット不明</translation>
    </message>
    <message>
        <source>Not the story</source>
        <translation>物語以外</translation>
    </message>
    <message>
        <source>Memory was late</source>
        <translation>記憶の遅れ</translation>
    </message>
    <message>
        <source>Context full</source>
        <translation>記憶の入る余地なし</translation>
    </message>
    <message>
        <source>Memory failed</source>
        <translation>記憶のエラー</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>拒否</translation>
    </message>
    <message>
        <source>The request was sent on with the memory below.</source>
        <translation>下の記憶を加えてリクエストを転送しました。</translation>
    </message>
    <message>
        <source>It was sent on as it came: memory had nothing to add to it.</source>
        <translation>そのまま転送しました。記憶から加えるものはありませんでした。</translation>
    </message>
    <message>
        <source>It was sent on as it came: a wrong memory is worse than none. Say which chat it was, and it is known from now on.</source>
        <translation>そのまま転送しました。誤った記憶を加えるより、何も加えないほうが安全なためです。どのチャットかを指定すると、次回から判別できます。</translation>
    </message>
    <message>
        <source>It was sent on as it came, and nothing of it is kept: a summary, a title or a translation that a program asked for.</source>
        <translation>そのまま転送し、何も保存していません。プログラムが要求した要約、タイトル、翻訳などです。</translation>
    </message>
    <message>
        <source>It was sent on without memory, so that the reply need not wait longer.</source>
        <translation>返答をこれ以上待たせないよう、記憶を加えずに転送しました。</translation>
    </message>
    <message>
        <source>It was sent on without memory: the model takes no more. Let the program that asks send less of the chat, or summarise the oldest floors, so that memory can stand for them.</source>
        <translation>記憶なしで送信しました。モデルにこれ以上入りません。フロントエンドが送るチャットを減らすか、古いフロアを要約して記憶で置き換えられるようにしてください。</translation>
    </message>
    <message>
        <source>It was sent on without memory.</source>
        <translation>記憶を加えずに転送しました。</translation>
    </message>
    <message>
        <source>It was not sent on.</source>
        <translation>転送しませんでした。</translation>
    </message>
    <message>
        <source>by the address</source>
        <translation>アドレスで判別</translation>
    </message>
    <message>
        <source>by its header</source>
        <translation>ヘッダーで判別</translation>
    </message>
    <message>
        <source>said by the companion</source>
        <translation>連携拡張が通知</translation>
    </message>
    <message>
        <source>by its messages</source>
        <translation>メッセージで判別</translation>
    </message>
    <message>
        <source>as you said</source>
        <translation>あなたの指定</translation>
    </message>
    <message>
        <source>by its character</source>
        <translation>キャラクターで判別</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>判別できず</translation>
    </message>
    <message>
        <source>the messages were added to the chat</source>
        <translation>メッセージをチャットに追加しました</translation>
    </message>
    <message>
        <source>a message was corrected as it reads there</source>
        <translation>メッセージを接続元の内容に合わせて修正しました</translation>
    </message>
    <message>
        <source>the reply is another reading of the newest one</source>
        <translation>最新の返答に別の返答を追加しました</translation>
    </message>
    <message>
        <source>the newest reply was continued</source>
        <translation>最新の返答の続きを追加しました</translation>
    </message>
    <message>
        <source>what was deleted there is gone here</source>
        <translation>接続元で削除されたものをこちらでも削除しました</translation>
    </message>
    <message>
        <source>a branch was made where the story went another way</source>
        <translation>物語が別の展開になったため、分岐を作成しました</translation>
    </message>
    <message>
        <source>a new chat was started</source>
        <translation>新しいチャットを開始しました</translation>
    </message>
    <message>
        <source>under way…</source>
        <translation>処理中…</translation>
    </message>
    <message>
        <source>Saving a setting</source>
        <translation>設定の保存</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>コピーしました</translation>
    </message>
    <message>
        <source>Not to be used again</source>
        <translation>今後使わない</translation>
    </message>
    <message>
        <source>Noting which chat it was</source>
        <translation>対応するチャットの記録</translation>
    </message>
    <message>
        <source>Installing the companion</source>
        <translation>連携拡張のインストール</translation>
    </message>
    <message>
        <source>Saving the companion</source>
        <translation>連携拡張の保存</translation>
    </message>
    <message>
        <source>This memory is not used again.</source>
        <translation>この記憶は今後使われません。</translation>
    </message>
    <message>
        <source>Allow it again</source>
        <translation>再び許可</translation>
    </message>
    <message>
        <source>Allowing it again</source>
        <translation>使用の再許可</translation>
    </message>
    <message>
        <source>Noted: requests that go on from it are taken for that.</source>
        <translation>記録しました。ここから続くリクエストは、このチャットとして扱います。</translation>
    </message>
    <message>
        <source>The companion is there.</source>
        <translation>連携拡張の準備ができました。</translation>
    </message>
    <message>
        <source>Reload SillyTavern&apos;s page, open Extensions, and give the companion the address and the key.</source>
        <translation>SillyTavernのページを再読み込みし、「拡張機能」を開いて、連携拡張にアドレスとキーを入力してください。</translation>
    </message>
</context>
<context>
    <name>ServingPage</name>
    <message>
        <source>Another program has this library open</source>
        <translation>別のプログラムがこのライブラリを開いています</translation>
    </message>
    <message>
        <source>The server runs where the library is written to.</source>
        <translation>サーバーは、ライブラリに書き込めるプログラムでのみ動作します。</translation>
    </message>
    <message>
        <source>Nothing has come through yet</source>
        <translation>まだリクエストはありません</translation>
    </message>
    <message>
        <source>Connect a program as described above, and say something in it.</source>
        <translation>上の説明に従ってプログラムを接続し、そこで何か話してみてください。</translation>
    </message>
    <message>
        <source>Memory for any chat program</source>
        <translation>あらゆるチャットプログラムに記憶を</translation>
    </message>
    <message>
        <source>SillyTavern, RisuAI, Open WebUI, LobeChat, Chatbox: what you play there is remembered here, and each reply knows it. Nothing to copy.</source>
        <translation>SillyTavern、RisuAI、Open WebUI、LobeChat、Chatboxなどでのプレイがここに記憶され、毎回の返答に生かされます。手作業でのコピーは不要です。</translation>
    </message>
    <message>
        <source>Start the server</source>
        <translation>サーバーを起動</translation>
    </message>
    <message>
        <source>Install into SillyTavern…</source>
        <translation>SillyTavernにインストール…</translation>
    </message>
    <message>
        <source>Save as a folder to copy…</source>
        <translation>フォルダとして保存（手動コピー用）…</translation>
    </message>
    <message>
        <source>SillyTavern folder</source>
        <translation>SillyTavernフォルダ</translation>
    </message>
    <message>
        <source>A folder to save it in</source>
        <translation>保存先のフォルダ</translation>
    </message>
</context>
<context>
    <name>SetFacet</name>
    <message>
        <source>Remove {word}</source>
        <translation>{word}を削除</translation>
    </message>
</context>
<context>
    <name>SettingPage</name>
    <message>
        <source>Show what was used…</source>
        <translation>使用量を表示…</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Restore defaults of this page</source>
        <translation>このページを既定に戻す</translation>
    </message>
    <message>
        <source>Search the settings</source>
        <translation>設定を検索</translation>
    </message>
    <message>
        <source>Pages of the settings</source>
        <translation>設定のページ</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Key of a further endpoint</source>
        <translation>追加エンドポイントのキー</translation>
    </message>
    <message>
        <source>Without a key of its own it is asked without one.</source>
        <translation>専用のキーがなければ、なしで問い合わせます。</translation>
    </message>
    <message>
        <source>Token of the Chroma server</source>
        <translation>Chromaサーバーのトークン</translation>
    </message>
    <message>
        <source>Without a token it is asked without one.</source>
        <translation>トークンがなければ、なしで問い合わせます。</translation>
    </message>
    <message>
        <source>Defaults again: {names}</source>
        <translation>既定に戻しました：{names}</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
</context>
<context>
    <name>SettingsForm</name>
    <message>
        <source>Summaries</source>
        <translation>要約</translation>
    </message>
    <message>
        <source>Automation</source>
        <translation>自動化</translation>
    </message>
    <message>
        <source>Limit and prices</source>
        <translation>使用上限と料金</translation>
    </message>
    <message>
        <source>Player</source>
        <translation>プレイヤー</translation>
    </message>
    <message>
        <source>Text of messages</source>
        <translation>メッセージのテキスト</translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation>バッファ</translation>
    </message>
    <message>
        <source>Recall and injection</source>
        <translation>想起と注入</translation>
    </message>
    <message>
        <source>Play, and who knows what</source>
        <translation>プレイと、誰が何を知っているか</translation>
    </message>
    <message>
        <source>World books</source>
        <translation>ワールドブック</translation>
    </message>
    <message>
        <source>Entities and relations</source>
        <translation>エンティティと関係</translation>
    </message>
    <message>
        <source>Vector index</source>
        <translation>ベクトル索引</translation>
    </message>
    <message>
        <source>SillyTavern folder</source>
        <translation>SillyTavernフォルダ</translation>
    </message>
    <message>
        <source>Memory for other programs</source>
        <translation>ほかのプログラムとの連携</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外観</translation>
    </message>
    <message>
        <source>Keys and safety</source>
        <translation>キーと安全性</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>ネットワーク</translation>
    </message>
    <message>
        <source>Newer versions</source>
        <translation>新しいバージョン</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自動</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>言語モデル</translation>
    </message>
    <message>
        <source>Embedding model</source>
        <translation>埋め込みモデル</translation>
    </message>
    <message>
        <source>Reranker</source>
        <translation>リランカー</translation>
    </message>
    <message>
        <source>After the system prompt</source>
        <translation>システムプロンプトの後</translation>
    </message>
    <message>
        <source>Some messages before the end</source>
        <translation>末尾から数件前</translation>
    </message>
    <message>
        <source>Before the last message</source>
        <translation>最後のメッセージの前</translation>
    </message>
    <message>
        <source>Those who speak there</source>
        <translation>その場で話している人</translation>
    </message>
    <message>
        <source>Nobody</source>
        <translation>誰も知らない</translation>
    </message>
    <message>
        <source>What was recalled comes last</source>
        <translation>想起したものを最後に</translation>
    </message>
    <message>
        <source>All in story order</source>
        <translation>すべて物語の順</translation>
    </message>
    <message>
        <source>What was said, when and by whom</source>
        <translation>いつ、誰が、何を言ったか</translation>
    </message>
    <message>
        <source>How long ago, and who said it</source>
        <translation>どれくらい前に、誰が言ったか</translation>
    </message>
    <message>
        <source>Lightly, never recited</source>
        <translation>さりげなく、語り直さない</translation>
    </message>
    <message>
        <source>Both, by their order</source>
        <translation>両方を順序どおりに</translation>
    </message>
    <message>
        <source>The character&apos;s books first</source>
        <translation>キャラクターのブックを優先</translation>
    </message>
    <message>
        <source>The global books first</source>
        <translation>全体のブックを優先</translation>
    </message>
    <message>
        <source>Extractive, without a model</source>
        <translation>抽出型（モデルなし）</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>オフ</translation>
    </message>
    <message>
        <source>On</source>
        <translation>オン</translation>
    </message>
    <message>
        <source>Rules, at once</source>
        <translation>ルールで即時</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>関数呼び出し</translation>
    </message>
    <message>
        <source>Marks in the text</source>
        <translation>テキスト内のタグ</translation>
    </message>
    <message>
        <source>Vectors only</source>
        <translation>ベクトルのみ</translation>
    </message>
    <message>
        <source>Vectors and graph</source>
        <translation>ベクトルとグラフ</translation>
    </message>
    <message>
        <source>Those ticked, with their branches</source>
        <translation>チェックしたチャットとその分岐</translation>
    </message>
    <message>
        <source>Every chat</source>
        <translation>すべてのチャット</translation>
    </message>
    <message>
        <source>Exact search</source>
        <translation>厳密検索</translation>
    </message>
    <message>
        <source>Multilingual sentence encoder</source>
        <translation>多言語文エンコーダー</translation>
    </message>
    <message>
        <source>Character hashes (for tests)</source>
        <translation>文字ハッシュ（テスト用）</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>システムに合わせる</translation>
    </message>
    <message>
        <source>None</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>The address below</source>
        <translation>下のアドレス</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>ライト</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>ダーク</translation>
    </message>
    <message>
        <source>Comfortable, two lines</source>
        <translation>ゆったり（2行）</translation>
    </message>
    <message>
        <source>Compact, one line</source>
        <translation>コンパクト（1行）</translation>
    </message>
    <message>
        <source>The system&apos;s keyring</source>
        <translation>システムのキーリング</translation>
    </message>
    <message>
        <source>Memory, until the program ends</source>
        <translation>メモリ（プログラムの終了まで）</translation>
    </message>
    <message>
        <source>A file, not encrypted</source>
        <translation>ファイル（暗号化なし）</translation>
    </message>
    <message>
        <source>The story first, what is recalled last</source>
        <translation>物語は先、思い出したことは最後</translation>
    </message>
    <message>
        <source>Saving a setting</source>
        <translation>設定の保存</translation>
    </message>
    <message>
        <source>Restoring defaults</source>
        <translation>設定を既定に戻す</translation>
    </message>
    <message>
        <source>Putting settings back</source>
        <translation>設定を元に戻す</translation>
    </message>
</context>
<context>
    <name>SheetDialog</name>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Put in the centre</source>
        <translation>中心に置く</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>プロフィール</translation>
    </message>
    <message>
        <source>Nothing is written in the profile yet.</source>
        <translation>プロフィールにはまだ何も書かれていません。</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>関係</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>イベント%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n relation(s)</source>
        <translation>
            <numerusform>関係%n件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SideForm</name>
    <message>
        <source>No matter how old</source>
        <translation>新しさを考慮しない</translation>
    </message>
    <message>
        <source>Embedder in use</source>
        <translation>使用中の埋め込みモデル</translation>
    </message>
    <message>
        <source>Built-in embedder</source>
        <translation>内蔵の埋め込みモデル</translation>
    </message>
    <message>
        <source>Plain spelling</source>
        <translation>文字の一致のみ</translation>
    </message>
    <message>
        <source>Reword</source>
        <translation>言い換え</translation>
    </message>
    <message>
        <source>Rerank</source>
        <translation>リランク</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Prefer what is recent</source>
        <translation>新しい記憶を優先</translation>
    </message>
    <message>
        <source>Embedder</source>
        <translation>埋め込みモデル</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Search everything</source>
        <translation>すべてを検索</translation>
    </message>
    <message>
        <source>Filter chats</source>
        <translation>チャットを絞り込む</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>Library health</source>
        <translation>ライブラリの点検</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>連携</translation>
    </message>
    <message>
        <source>SillyTavern folder</source>
        <translation>SillyTavernフォルダ</translation>
    </message>
    <message>
        <source>Scripts and prompts</source>
        <translation>スクリプトとプロンプト</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>The memory server runs</source>
        <translation>メモリサーバーが動作中</translation>
    </message>
    <message>
        <source>Memory for other chat programs</source>
        <translation>ほかのチャットプログラム用の記憶</translation>
    </message>
    <message>
        <source>Overview of the chat</source>
        <translation>このチャットの概要</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>ライブラリ</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>Deleted chats</source>
        <translation>削除したチャット</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>名前を変更…</translation>
    </message>
    <message>
        <source>Take over memories of other tools…</source>
        <translation>ほかのツールの記憶を引き継ぐ…</translation>
    </message>
    <message>
        <source>Make a volume…</source>
        <translation>巻を作成…</translation>
    </message>
    <message>
        <source>Volumes…</source>
        <translation>巻…</translation>
    </message>
    <message>
        <source>Markdown folder…</source>
        <translation>Markdownフォルダ…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>書き出す…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>削除…</translation>
    </message>
    <message>
        <source>Delete the chat</source>
        <translation>チャットの削除</translation>
    </message>
    <message>
        <source>Delete “{name}” with all its memory?</source>
        <translation>「{name}」をすべての記憶ごと削除しますか？</translation>
    </message>
    <message>
        <source>It goes to the trash, from where it can be brought back.</source>
        <translation>ごみ箱に移動し、あとで復元できます。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
</context>
<context>
    <name>Skeleton</name>
    <message>
        <source>Reading…</source>
        <translation>読み込み中…</translation>
    </message>
</context>
<context>
    <name>SkeletonLines</name>
    <message>
        <source>Reading…</source>
        <translation>読み込み中…</translation>
    </message>
</context>
<context>
    <name>SortButton</name>
    <message>
        <source>The other way round</source>
        <translation>逆順</translation>
    </message>
    <message>
        <source>Apply this sorting as order…</source>
        <translation>この並びを順序に反映…</translation>
    </message>
    <message>
        <source>Sort entries: {how}</source>
        <translation>項目の並べ替え：{how}</translation>
    </message>
</context>
<context>
    <name>SortDialog</name>
    <message>
        <source>Apply the sorting as order</source>
        <translation>並びを順序に反映</translation>
    </message>
    <message>
        <source>Every entry gets an order by its place in the list: the uppermost has the highest, is looked at first and stands nearest to the chat.</source>
        <translation>一覧での位置に応じて、各項目に順序の値を付けます。一番上の項目が最も大きく、最初に検討され、チャットに最も近い位置に入ります。</translation>
    </message>
    <message>
        <source>Order of the uppermost entry</source>
        <translation>一番上の項目の順序</translation>
    </message>
    <message>
        <source>What changes</source>
        <translation>変更される項目</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>項目</translation>
    </message>
    <message>
        <source>Order now</source>
        <translation>現在の順序</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>適用後</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>適用</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) get another order</source>
        <translation>
            <numerusform>%n件の項目の順序が変わります</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing changes</source>
        <translation>変更はありません</translation>
    </message>
</context>
<context>
    <name>SourceDialog</name>
    <message>
        <source>Reading…</source>
        <translation>読み込み中…</translation>
    </message>
    <message>
        <source>Remembered of these floors</source>
        <translation>これらのフロアの記憶</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>{name} · floor {floor}</source>
        <translation>{name} · フロア{floor}</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>これを知っている人…</translation>
    </message>
    <message>
        <source>As a model reads it</source>
        <translation>モデルが読む内容</translation>
    </message>
    <message>
        <source>Floor {floor} as a model reads it</source>
        <translation>フロア{floor}：モデルが読む内容</translation>
    </message>
</context>
<context>
    <name>SourceList</name>
    <message>
        <source>Where it comes from</source>
        <translation>出典</translation>
    </message>
    <message>
        <source>No line bears this out:</source>
        <translation>原文に裏付けがありません：</translation>
    </message>
    <message>
        <source>said by no line: {words}</source>
        <translation>原文に出てこない語：{words}</translation>
    </message>
    <message>
        <source>Read it in the chat</source>
        <translation>原文で読む</translation>
    </message>
</context>
<context>
    <name>SplitDialog</name>
    <message>
        <source>Split the event</source>
        <translation>イベントの分割</translation>
    </message>
    <message>
        <source>The second part begins at floor</source>
        <translation>後半の開始フロア</translation>
    </message>
    <message>
        <source>Summary of the first part</source>
        <translation>前半の内容</translation>
    </message>
    <message>
        <source>Summary of the second part</source>
        <translation>後半の内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>分割</translation>
    </message>
</context>
<context>
    <name>Start</name>
    <message>
        <source>It opens here as soon as the other program closes it. Close that window, or wait.</source>
        <translation>ライブラリが解放されしだい、ここで自動的に開きます。もう一方のウィンドウを閉じるか、そのままお待ちください。</translation>
    </message>
    <message>
        <source>That program seems to have ended without releasing it. If you are sure that nothing uses the library, it can be opened anyway.</source>
        <translation>使用していたプログラムは、ライブラリを解放しないまま終了したようです。ほかに使用中のプログラムがないことが確かであれば、このまま開けます。</translation>
    </message>
    <message>
        <source>Open anyway</source>
        <translation>それでも開く</translation>
    </message>
    <message>
        <source>Do not open</source>
        <translation>開かない</translation>
    </message>
    <message>
        <source>Restore the backup of {moment}? The damaged files are kept in the trash folder.</source>
        <translation>{moment}のバックアップを復元しますか？破損したファイルはごみ箱フォルダに保管されます。</translation>
    </message>
    <message>
        <source>The library is moved to {path}.</source>
        <translation>ライブラリを{path}に移動しています。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>The library lies in {path} now.</source>
        <translation>ライブラリは{path}にあります。</translation>
    </message>
    <message>
        <source>Where it was it is kept as {path}; delete that when all is well.</source>
        <translation>元のフォルダは{path}として残してあります。問題がなければ削除してください。</translation>
    </message>
    <message>
        <source>The backup is in place.</source>
        <translation>バックアップを復元しました。</translation>
    </message>
    <message>
        <source>Look whether everything is there. Until you leave safe mode nothing is summarised, followed or served by itself.</source>
        <translation>内容がそろっているか確認してください。セーフモードを終了するまで、要約、チャットへの追従、サーバーの起動は自動では行われません。</translation>
    </message>
    <message>
        <source>Leave safe mode</source>
        <translation>セーフモードを終了</translation>
    </message>
    <message>
        <source>The library lies in a folder of {name}.</source>
        <translation>ライブラリが{name}の同期フォルダ内にあります。</translation>
    </message>
    <message>
        <source>A program that copies a library while it is used can damage it. Move it to a folder of this computer alone, and keep backups there instead.</source>
        <translation>使用中のライブラリを同期プログラムがコピーすると、破損することがあります。このコンピューターだけのフォルダに移動し、同期フォルダにはバックアップだけを置いてください。</translation>
    </message>
    <message>
        <source>Move it…</source>
        <translation>移動…</translation>
    </message>
</context>
<context>
    <name>StartDialog</name>
    <message>
        <source>New chat</source>
        <translation>新しいチャット</translation>
    </message>
    <message>
        <source>The name used last</source>
        <translation>前回使った名前</translation>
    </message>
    <message>
        <source>Your name in the story</source>
        <translation>物語でのあなたの名前</translation>
    </message>
    <message>
        <source>How it begins</source>
        <translation>最初のメッセージ</translation>
    </message>
    <message>
        <source>What is said first</source>
        <translation>最初のメッセージの内容</translation>
    </message>
    <message>
        <source>Or play a scene of ours, without a model</source>
        <translation>または、モデルなしで用意されたシーンを演じる</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Search characters</source>
        <translation>キャラクターを検索</translation>
    </message>
    <message>
        <source>Import a card…</source>
        <translation>カードをインポート…</translation>
    </message>
    <message>
        <source>Who plays; several make one scene</source>
        <translation>登場するキャラクター（複数選ぶと同じ場面に登場）</translation>
    </message>
    <message>
        <source>No character yet. Import a card: PNG, JSON or CHARX.</source>
        <translation>キャラクターがまだいません。PNG、JSON、CHARX形式のカードをインポートしてください。</translation>
    </message>
</context>
<context>
    <name>StateCurve</name>
    <message>
        <source>How the value changed</source>
        <translation>値の推移</translation>
    </message>
    <message>
        <source>from {first} to {last}, lowest {low}, highest {high}</source>
        <translation>{first}から{last}へ、最低{low}、最高{high}</translation>
    </message>
</context>
<context>
    <name>StateDialog</name>
    <message>
        <source>Add a value</source>
        <translation>値の追加</translation>
    </message>
    <message>
        <source>For example: Alice.affection</source>
        <translation>例：Alice.affection</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Place, its parts with dots between</source>
        <translation>場所（各階層をドットで区切る）</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>It counts from the newest message on and can be undone.</source>
        <translation>最新のメッセージ以降に適用され、元に戻せます。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>追加</translation>
    </message>
</context>
<context>
    <name>StatePage</name>
    <message>
        <source>Search the state</source>
        <translation>状態を検索</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>追加…</translation>
    </message>
    <message>
        <source>The state of the story</source>
        <translation>物語の状態</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>意味</translation>
    </message>
    <message>
        <source>Since floor</source>
        <translation>変化したフロア</translation>
    </message>
    <message>
        <source>No state yet</source>
        <translation>状態はまだありません</translation>
    </message>
    <message>
        <source>Values a story changes, such as affection or money, appear here when replies carry &lt;state_update&gt; or &lt;UpdateVariable&gt;, or SillyTavern keeps variables.</source>
        <translation>返答に&lt;state_update&gt;や&lt;UpdateVariable&gt;が含まれるか、SillyTavernが変数を保持していると、好感度や所持金など、物語の中で変わる値がここに表示されます。</translation>
    </message>
    <message>
        <source>Add a value…</source>
        <translation>値を追加…</translation>
    </message>
    <message>
        <source>Nothing yet at this floor</source>
        <translation>このフロアではまだ状態がありません</translation>
    </message>
    <message>
        <source>Move the slider on.</source>
        <translation>スライダーを先へ動かしてください。</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation>
            <numerusform>%n件の値</numerusform>
        </translation>
    </message>
    <message>
        <source>the first {most} are shown</source>
        <translation>最初の{most}件のみ表示</translation>
    </message>
    <message numerus="yes">
        <source>%n update(s) could not be read</source>
        <translation>
            <numerusform>%n件の更新を読み取れませんでした</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatePanel</name>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>Value from now on</source>
        <translation>これ以降の値</translation>
    </message>
    <message>
        <source>What changed it</source>
        <translation>変化の履歴</translation>
    </message>
    <message>
        <source>Double click reads the message.</source>
        <translation>ダブルクリックでメッセージを表示します。</translation>
    </message>
    <message>
        <source>Remove this value</source>
        <translation>この値を削除</translation>
    </message>
    <message>
        <source>All changes</source>
        <translation>すべての変化</translation>
    </message>
    <message>
        <source>Choose a value to see its own, and to change it.</source>
        <translation>値を選ぶと、その変化を確認し、値を変更できます。</translation>
    </message>
    <message>
        <source>Floor {floor}</source>
        <translation>フロア{floor}</translation>
    </message>
</context>
<context>
    <name>StateView</name>
    <message>
        <source>the beginning</source>
        <translation>初期状態</translation>
    </message>
    <message>
        <source>the reply</source>
        <translation>返答</translation>
    </message>
    <message>
        <source>SillyTavern&apos;s variables</source>
        <translation>SillyTavernの変数</translation>
    </message>
    <message>
        <source>looking back</source>
        <translation>振り返り</translation>
    </message>
    <message>
        <source>you</source>
        <translation>あなた</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Changing the state</source>
        <translation>状態の変更</translation>
    </message>
</context>
<context>
    <name>StepList</name>
    <message>
        <source>History</source>
        <translation>履歴</translation>
    </message>
</context>
<context>
    <name>StepStrip</name>
    <message>
        <source>How far the memory is</source>
        <translation>記憶の進み具合</translation>
    </message>
    <message>
        <source>Memory is being made…</source>
        <translation>記憶を作成中…</translation>
    </message>
    <message numerus="yes">
        <source>%n floor(s) are not in memory yet</source>
        <translation>
            <numerusform>%nフロアがまだ記憶になっていません</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) wait for your review</source>
        <translation>
            <numerusform>%n個のブロックが確認待ちです</numerusform>
        </translation>
    </message>
    <message>
        <source>What was made of them becomes events once you have looked through it.</source>
        <translation>確認が済むと、内容がイベントになります。</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>確認…</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) could not be read</source>
        <translation>
            <numerusform>%n個のブロックの応答を読み取れませんでした</numerusform>
        </translation>
    </message>
    <message>
        <source>The answers were kept: mend them, or ask again.</source>
        <translation>応答は保存されています。修正するか、もう一度リクエストしてください。</translation>
    </message>
    <message>
        <source>Look at them…</source>
        <translation>内容を見る…</translation>
    </message>
    <message>
        <source>Decide…</source>
        <translation>選択…</translation>
    </message>
    <message>
        <source>A summary turns them into events you can read, correct and recall.</source>
        <translation>要約すると、読んで修正し、想起できるイベントになります。</translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation>要約する…</translation>
    </message>
    <message numerus="yes">
        <source>The buffer is full: %n event(s)</source>
        <translation>
            <numerusform>バッファがいっぱいです：イベント%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>Consolidated, they are recalled when the story needs them.</source>
        <translation>整理すると、物語が必要とするときに想起されます。</translation>
    </message>
    <message>
        <source>Consolidate…</source>
        <translation>記憶を整理…</translation>
    </message>
    <message>
        <source>Made without a model, on this computer</source>
        <translation>モデルを使わず、このコンピューターで作成</translation>
    </message>
    <message numerus="yes">
        <source>With a model, the story, the people and what binds them get richer: about {tokens} tokens for these %n floor(s).</source>
        <translation>
            <numerusform>モデルを使うと、物語や人物、そのつながりがより豊かになります。この%nフロアで約{tokens}トークンです。</numerusform>
        </translation>
    </message>
    <message>
        <source>Connect a model…</source>
        <translation>モデルに接続…</translation>
    </message>
    <message>
        <source>Memory is up to date</source>
        <translation>記憶は最新です</translation>
    </message>
    <message>
        <source>Play on</source>
        <translation>プレイを続ける</translation>
    </message>
</context>
<context>
    <name>StepsDialog</name>
    <message>
        <source>Floor {floor} as a model reads it</source>
        <translation>フロア{floor}：モデルが読む内容</translation>
    </message>
    <message>
        <source>The message itself stays as it was written. Choose a step to see its text.</source>
        <translation>メッセージ自体は元のまま変わりません。手順を選ぶと、その時点のテキストを表示します。</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>手順</translation>
    </message>
    <message>
        <source>Text after this step</source>
        <translation>この手順のあとのテキスト</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>{name}: not done</source>
        <translation>{name}：未実行</translation>
    </message>
    <message>
        <source>{name}: changed</source>
        <translation>{name}：変更あり</translation>
    </message>
    <message>
        <source>{name}: nothing to do</source>
        <translation>{name}：変更なし</translation>
    </message>
</context>
<context>
    <name>StoryCalendar</name>
    <message>
        <source>No date</source>
        <translation>日付なし</translation>
    </message>
    <message>
        <source>Day {number}</source>
        <translation>{number}日目</translation>
    </message>
    <message>
        <source>d MMMM</source>
        <comment>a date without its year</comment>
        <translation>M月d日</translation>
    </message>
</context>
<context>
    <name>SuggestionCard</name>
    <message>
        <source>Merge as “{name}”</source>
        <translation>「{name}」に統合</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>あとで</translation>
    </message>
    <message>
        <source>Not the same</source>
        <translation>同じではない</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>イベント%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>also {names}</source>
        <translation>別名：{names}</translation>
    </message>
</context>
<context>
    <name>SummariseDialog</name>
    <message>
        <source>Summarise</source>
        <translation>要約する</translation>
    </message>
    <message>
        <source>Each block of floors is read once and becomes events in the buffer.</source>
        <translation>フロアの各ブロックを一度だけ読み、バッファのイベントにします。</translation>
    </message>
    <message>
        <source>Everything not yet summarised</source>
        <translation>未要約のすべてのフロア</translation>
    </message>
    <message>
        <source>Make them again, to compare with what is there</source>
        <translation>作り直して現在の内容と比較する</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>読み取り方法</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>計算中…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>There is nothing left to summarise.</source>
        <translation>要約するフロアは残っていません。</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s), floors {first}–{last}</source>
        <translation>
            <numerusform>%n個のブロック、フロア{first}–{last}</numerusform>
        </translation>
    </message>
    <message>
        <source>{model} is asked once per block: about {tokens} tokens to read.</source>
        <translation>{model}にブロックごとに1回リクエストします。入力は約{tokens}トークンです。</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) were answered before and cost nothing.</source>
        <translation>
            <numerusform>うち%n個のブロックは応答を取得済みのため、費用はかかりません。</numerusform>
        </translation>
    </message>
    <message>
        <source>Without a model: key sentences, names and places. Nothing is sent.</source>
        <translation>モデルなし：重要な文、人名、地名を抽出します。何も送信しません。</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) wait for your review.</source>
        <translation>
            <numerusform>%n個のブロックが確認待ちです。</numerusform>
        </translation>
    </message>
    <message>
        <source>To get another summary of these floors, make them again.</source>
        <translation>これらのフロアの要約を改めて作るには、作り直しを選んでください。</translation>
    </message>
    <message>
        <source>The newest floors are left alone while they may still change.</source>
        <translation>最新のフロアはまだ変わる可能性があるため、対象外です。</translation>
    </message>
</context>
<context>
    <name>SwitchCard</name>
    <message>
        <source>Chat programs talk to this address instead of their model&apos;s. Each reply is written with the right memories, and becomes memory itself.</source>
        <translation>チャットプログラムの接続先を、モデルのアドレスからこのアドレスに変えます。毎回の返答が適切な記憶をもとに書かれ、その返答もまた記憶になります。</translation>
    </message>
    <message>
        <source>Start with the program</source>
        <translation>プログラムと同時に起動</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>設定…</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>アドレス</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>アドレスをコピー</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>キー</translation>
    </message>
    <message>
        <source>Copy the key</source>
        <translation>キーをコピー</translation>
    </message>
    <message>
        <source>Make another key: programs with this one are refused then</source>
        <translation>キーを作り直す（古いキーを使うプログラムは拒否されます）</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>接続</translation>
    </message>
    <message>
        <source>Companion for SillyTavern…</source>
        <translation>SillyTavern用の連携拡張…</translation>
    </message>
    <message>
        <source>Memory server: on</source>
        <translation>メモリサーバー：オン</translation>
    </message>
    <message>
        <source>Memory server: off</source>
        <translation>メモリサーバー：オフ</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>起動</translation>
    </message>
    <message>
        <source>(copied above)</source>
        <translation>（上でコピーできます）</translation>
    </message>
    <message>
        <source>No endpoint is set up: there is nowhere to send requests to. Settings…</source>
        <translation>接続先が設定されていないため、リクエストを転送できません。設定…</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between addresses</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>Open to the network: {addresses}</source>
        <translation>ネットワークに公開中：{addresses}</translation>
    </message>
    <message>
        <source>The key could not be kept: the next start makes another.</source>
        <translation>キーを保存できませんでした。次回の起動時に新しいキーが作られます。</translation>
    </message>
</context>
<context>
    <name>TaskLine</name>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>待機中</translation>
    </message>
</context>
<context>
    <name>TaskPanel</name>
    <message>
        <source>Tasks</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>Nothing is running.</source>
        <translation>実行中のタスクはありません。</translation>
    </message>
</context>
<context>
    <name>TavernDialog</name>
    <message>
        <source>SillyTavern folder</source>
        <translation>SillyTavernフォルダ</translation>
    </message>
    <message>
        <source>Search everything in the folder</source>
        <translation>フォルダ内のすべてを検索</translation>
    </message>
    <message>
        <source>Taking in</source>
        <translation>取り込み</translation>
    </message>
    <message>
        <source>Tick what is new</source>
        <translation>新しいものを選択</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Tick what to take in. A chat brings the card of its character, and a card its picture, world books and scripts. The folder itself is only read, never changed.</source>
        <translation>取り込むものにチェックを入れてください。チャットにはそのキャラクターのカードが、カードには画像、ワールドブック、スクリプトが付いてきます。フォルダ自体は読み取るだけで、変更しません。</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>フォルダを選択…</translation>
    </message>
    <message>
        <source>World book</source>
        <translation>ワールドブック</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Regex script</source>
        <translation>正規表現スクリプト</translation>
    </message>
    <message>
        <source>Looks for</source>
        <translation>検索対象</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>プリセット</translation>
    </message>
    <message>
        <source>Kind and scripts</source>
        <translation>種類とスクリプト</translation>
    </message>
    <message>
        <source>Persona</source>
        <translation>ペルソナ</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>説明</translation>
    </message>
    <message>
        <source>Characters and chats</source>
        <translation>キャラクターとチャット</translation>
    </message>
    <message>
        <source>World books</source>
        <translation>ワールドブック</translation>
    </message>
    <message>
        <source>Regex scripts</source>
        <translation>正規表現スクリプト</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>プリセット</translation>
    </message>
    <message>
        <source>Personas</source>
        <translation>ペルソナ</translation>
    </message>
    <message>
        <source>Prompts of the preset</source>
        <translation>プリセットのプロンプト</translation>
    </message>
    <message>
        <source>Choose a preset to read its prompts.</source>
        <translation>プリセットを選ぶと、そのプロンプトを表示します。</translation>
    </message>
    <message>
        <source>at depth {depth}</source>
        <translation>深度{depth}</translation>
    </message>
    <message>
        <source>off</source>
        <translation>オフ</translation>
    </message>
    <message>
        <source>Follow the chats: new messages appear here a moment later</source>
        <translation>チャットに追従する：SillyTavernで続きを話すと、すぐここにも反映されます</translation>
    </message>
    <message>
        <source>Follow every chat, new ones too</source>
        <translation>新しいものも含め、すべてのチャットに追従</translation>
    </message>
    <message>
        <source>Choose the SillyTavern folder</source>
        <translation>SillyTavernフォルダの選択</translation>
    </message>
    <message>
        <source>No folder is chosen yet.</source>
        <translation>フォルダが選択されていません。</translation>
    </message>
    <message numerus="yes">
        <source>Take in %n thing(s)</source>
        <translation>
            <numerusform>%n件を取り込む</numerusform>
        </translation>
    </message>
    <message>
        <source>Take in</source>
        <translation>取り込む</translation>
    </message>
    <message numerus="yes">
        <source>Stop following %n chat(s)</source>
        <translation>
            <numerusform>%n件のチャットの追従を停止</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TavernModel</name>
    <message>
        <source>Importing from SillyTavern</source>
        <translation>SillyTavernからのインポート</translation>
    </message>
    <message>
        <source>Following SillyTavern · {when}</source>
        <translation>SillyTavernに追従中 · {when}</translation>
    </message>
    <message>
        <source>Another copy of a chat: {file}</source>
        <translation>チャットの別のコピー：{file}</translation>
    </message>
    <message>
        <source>Show the branch</source>
        <translation>この分岐を表示</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>チャット%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n character card(s)</source>
        <translation>
            <numerusform>キャラクターカード%n枚</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n world book(s)</source>
        <translation>
            <numerusform>ワールドブック%n冊</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s)</source>
        <translation>
            <numerusform>正規表現スクリプト%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n persona(s)</source>
        <translation>
            <numerusform>ペルソナ%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) added</source>
        <translation>
            <numerusform>メッセージを%n件追加しました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>ほか%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing new was found</source>
        <translation>新しいものは見つかりませんでした</translation>
    </message>
</context>
<context>
    <name>TavernStep</name>
    <message>
        <source>Your SillyTavern</source>
        <translation>お使いのSillyTavern</translation>
    </message>
    <message>
        <source>Its chats, characters and world books are read, and the chats followed as they go on. Nothing in its folder is ever changed.</source>
        <translation>チャット、キャラクター、ワールドブックを読み込み、チャットの続きにも追従します。SillyTavernのフォルダには一切変更を加えません。</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>フォルダを選択…</translation>
    </message>
    <message>
        <source>Looking in the places it is usually put…</source>
        <translation>よくあるインストール先を探しています…</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>チャット%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n character(s)</source>
        <translation>
            <numerusform>キャラクター%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>Take it in</source>
        <translation>すべて取り込む</translation>
    </message>
    <message>
        <source>It was not found in the usual places.</source>
        <translation>よくあるインストール先には見つかりませんでした。</translation>
    </message>
    <message>
        <source>Taking it in; you can go on meanwhile.</source>
        <translation>取り込み中です。このまま先へ進めます。</translation>
    </message>
    <message>
        <source>It is in the library, and its chats are followed.</source>
        <translation>ライブラリに取り込み、チャットに追従しています。</translation>
    </message>
</context>
<context>
    <name>TextPromptModel</name>
    <message>
        <source>No chat is shown.</source>
        <translation>チャットが表示されていません。</translation>
    </message>
</context>
<context>
    <name>TextsDialog</name>
    <message>
        <source>Scripts and prompts</source>
        <translation>スクリプトとプロンプト</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>Scripts and rules</source>
        <translation>スクリプトとルール</translation>
    </message>
    <message>
        <source>Text completion</source>
        <translation>テキスト補完</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
</context>
<context>
    <name>ThreadLanes</name>
    <message numerus="yes">
        <source>%n thread(s) open</source>
        <translation>
            <numerusform>未回収の伏線%n件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TickTree</name>
    <message>
        <source>in the library</source>
        <translation>ライブラリにあり</translation>
    </message>
    <message>
        <source>newer there</source>
        <translation>更新あり</translation>
    </message>
    <message>
        <source>followed</source>
        <translation>追従中</translation>
    </message>
</context>
<context>
    <name>TimeBar</name>
    <message>
        <source>Play the story forward</source>
        <translation>物語を再生</translation>
    </message>
    <message>
        <source>As of floor</source>
        <translation>表示する時点（フロア）</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>現在に戻る</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>一時停止</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Overview</source>
        <translation>概要</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>グラフ</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>想起</translation>
    </message>
    <message>
        <source>Private logs</source>
        <translation>個人の記録</translation>
    </message>
    <message>
        <source>World books</source>
        <translation>ワールドブック</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>真偽</translation>
    </message>
    <message>
        <source>Inbox</source>
        <translation>未処理</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>プレイ</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>連携</translation>
    </message>
    <message>
        <source>Show the side panel</source>
        <translation>サイドパネルを表示</translation>
    </message>
    <message numerus="yes">
        <source>%n item(s) wait</source>
        <translation>
            <numerusform>%n件が待っています</numerusform>
        </translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>分岐</translation>
    </message>
    <message numerus="yes">
        <source>{name} · %n floor(s)</source>
        <translation>
            <numerusform>{name} · %nフロア</numerusform>
        </translation>
    </message>
    <message>
        <source>Fork, compare, roll back…</source>
        <translation>分岐、比較、巻き戻し…</translation>
    </message>
    <message>
        <source>Main line</source>
        <translation>本線</translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation>要約する…</translation>
    </message>
    <message>
        <source>Trim: merge old events into outlines</source>
        <translation>スリム化：古いイベントをあらすじにまとめる</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>インポート…</translation>
    </message>
    <message>
        <source>More</source>
        <translation>その他</translation>
    </message>
    <message>
        <source>Consolidate</source>
        <translation>記憶を整理</translation>
    </message>
    <message>
        <source>Consolidate {n}</source>
        <translation>記憶を整理 {n}</translation>
    </message>
    <message numerus="yes">
        <source>Archive %n event(s) of the buffer</source>
        <translation>
            <numerusform>バッファのイベント%n件をアーカイブ</numerusform>
        </translation>
    </message>
    <message>
        <source>The buffer is empty: there is nothing to archive.</source>
        <translation>バッファが空のため、アーカイブするものはありません。</translation>
    </message>
</context>
<context>
    <name>TraceCard</name>
    <message>
        <source>from a volume</source>
        <translation>巻から</translation>
    </message>
    <message>
        <source>Allow again</source>
        <translation>再び許可</translation>
    </message>
    <message>
        <source>{leg}: place {place}</source>
        <translation>{leg}：{place}位</translation>
    </message>
    <message>
        <source>against it: {legs}</source>
        <translation>減点：{legs}</translation>
    </message>
    <message>
        <source>Nothing spoke for it</source>
        <translation>根拠となるものはありません</translation>
    </message>
</context>
<context>
    <name>TrashDialog</name>
    <message>
        <source>Deleted chats</source>
        <translation>削除したチャット</translation>
    </message>
    <message>
        <source>A chat that is brought back is what it was: its memory, its settings, its world books.</source>
        <translation>復元したチャットは、記憶、設定、ワールドブックを含め、すべて削除前の状態に戻ります。</translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation>完全に削除…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>復元</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s), {size}</source>
        <translation>
            <numerusform>チャット%n件、{size}</numerusform>
        </translation>
    </message>
    <message>
        <source>No chat was deleted.</source>
        <translation>削除されたチャットはありません。</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>完全に削除</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chat(s) for good?</source>
        <translation>
            <numerusform>%n件のチャットを完全に削除しますか？</numerusform>
        </translation>
    </message>
    <message>
        <source>Their memory cannot be brought back. Files they were imported from stay.</source>
        <translation>記憶は復元できなくなります。インポート元のファイルは残ります。</translation>
    </message>
</context>
<context>
    <name>TrashList</name>
    <message>
        <source>Deleting the chat</source>
        <translation>チャットの削除</translation>
    </message>
    <message>
        <source>The chat “{name}” was deleted</source>
        <translation>チャット「{name}」を削除しました</translation>
    </message>
    <message>
        <source>It lies in the trash, above the list of chats.</source>
        <translation>チャット一覧の上にあるごみ箱に入っています。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Bringing chats back</source>
        <translation>チャットの復元</translation>
    </message>
    <message>
        <source>Deleting for good</source>
        <translation>完全な削除</translation>
    </message>
</context>
<context>
    <name>TrimDialog</name>
    <message>
        <source>Trim into outlines</source>
        <translation>あらすじへのスリム化</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>計画中…</translation>
    </message>
    <message>
        <source>An outline takes the place of the oldest events that are always visible. The events stay, are recalled as before, and come back when the outline is taken apart.</source>
        <translation>常時表示のイベントのうち古いものを、あらすじに置き換えます。イベント自体は残って従来どおり想起され、あらすじを分解すると元に戻ります。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Make outlines</source>
        <translation>あらすじを作成</translation>
    </message>
    <message>
        <source>There is nothing to trim.</source>
        <translation>スリム化できるものはありません。</translation>
    </message>
    <message numerus="yes">
        <source>%n archived event(s) are in no outline.</source>
        <translation>
            <numerusform>アーカイブ済みのイベント%n件が、どのあらすじにも含まれていません。</numerusform>
        </translation>
    </message>
    <message>
        <source>Always visible: {used} of {limit} tokens.</source>
        <translation>常時表示：{used}/{limit}トークン。</translation>
    </message>
</context>
<context>
    <name>TurnPanel</name>
    <message>
        <source>Event recorded</source>
        <translation>記録されたイベント</translation>
    </message>
    <message>
        <source>Taken for</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>What was recalled</source>
        <translation>想起された記憶</translation>
    </message>
    <message>
        <source>Double click reads the messages it came from.</source>
        <translation>ダブルクリックで元のメッセージを表示します。</translation>
    </message>
    <message>
        <source>Changed in the state</source>
        <translation>状態の変化</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>What it came to</source>
        <translation>変化後の値</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>訂正</translation>
    </message>
    <message>
        <source>It did not</source>
        <translation>変化していない</translation>
    </message>
    <message>
        <source>This turn did not change the value</source>
        <translation>このターンで値は変化していません</translation>
    </message>
    <message>
        <source>Curves are on the page State</source>
        <translation>推移の曲線は「状態」ページにあります</translation>
    </message>
    <message>
        <source>Only thought</source>
        <translation>心の中だけ</translation>
    </message>
    <message>
        <source>Floor {floor}</source>
        <translation>フロア{floor}</translation>
    </message>
    <message>
        <source>What a turn left is yours to see, and nobody else&apos;s.</source>
        <translation>ターンが残したものを見られるのはあなただけで、どのキャラクターも知りません。</translation>
    </message>
    <message>
        <source>Nothing is noted of this message: it was not said on this page.</source>
        <translation>このメッセージの記録はありません。このページで話されたものではないためです。</translation>
    </message>
    <message>
        <source>{model}: {prompt} + {completion} tokens</source>
        <translation>{model}：{prompt} + {completion}トークン</translation>
    </message>
    <message>
        <source>Recalled for {name}</source>
        <translation>{name}のための想起</translation>
    </message>
</context>
<context>
    <name>TurnView</name>
    <message>
        <source>Correcting a turn</source>
        <translation>ターンの訂正</translation>
    </message>
</context>
<context>
    <name>UndoActions</name>
    <message>
        <source>{step} (undone)</source>
        <translation>{step}（取り消し済み）</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Undo: {step}</source>
        <translation>元に戻す：{step}</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>やり直す</translation>
    </message>
    <message>
        <source>Redo: {step}</source>
        <translation>やり直す：{step}</translation>
    </message>
    <message>
        <source>Undoing</source>
        <translation>元に戻す操作</translation>
    </message>
    <message>
        <source>Redoing</source>
        <translation>やり直す操作</translation>
    </message>
    <message>
        <source>Undone: {step}</source>
        <translation>元に戻しました：{step}</translation>
    </message>
    <message>
        <source>Done again: {step}</source>
        <translation>やり直しました：{step}</translation>
    </message>
</context>
<context>
    <name>UndoStrip</name>
    <message>
        <source>History…</source>
        <translation>履歴…</translation>
    </message>
</context>
<context>
    <name>UnsavedFields</name>
    <message>
        <source>What was typed here before is back. It is not saved yet.</source>
        <translation>以前ここに入力した内容を復元しました。まだ保存されていません。</translation>
    </message>
</context>
<context>
    <name>UpstreamKeyForm</name>
    <message>
        <source>API key</source>
        <translation>APIキー</translation>
    </message>
    <message>
        <source>Keep the key</source>
        <translation>キーを保存</translation>
    </message>
    <message>
        <source>A key is stored. Type to replace it.</source>
        <translation>キーは保存済みです。入力すると置き換わります。</translation>
    </message>
</context>
<context>
    <name>Usage</name>
    <message>
        <source>Summaries</source>
        <translation>要約</translation>
    </message>
    <message>
        <source>Trimming</source>
        <translation>スリム化</translation>
    </message>
    <message>
        <source>Entity profiles</source>
        <translation>エンティティのプロフィール</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>想起</translation>
    </message>
    <message>
        <source>Triage</source>
        <translation>振り分け</translation>
    </message>
    <message>
        <source>Reflection</source>
        <translation>振り返り</translation>
    </message>
    <message>
        <source>Replies</source>
        <translation>返答</translation>
    </message>
</context>
<context>
    <name>UsageDialog</name>
    <message>
        <source>Usage</source>
        <translation>使用量</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>読み込み中…</translation>
    </message>
    <message>
        <source>The requests themselves…</source>
        <translation>リクエストの一覧…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>日付</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>リクエスト</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>入力トークン</translation>
    </message>
    <message>
        <source>Answer tokens</source>
        <translation>出力トークン</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>費用</translation>
    </message>
    <message>
        <source>Today: {spent} of {cap} tokens</source>
        <translation>本日：{spent}/{cap}トークン</translation>
    </message>
    <message>
        <source>Today: {spent} tokens, no limit is set</source>
        <translation>本日：{spent}トークン（上限なし）</translation>
    </message>
    <message>
        <source>No model has been asked yet.</source>
        <translation>まだモデルへのリクエストはありません。</translation>
    </message>
    <message>
        <source>Enter prices in the settings to see what it cost.</source>
        <translation>設定で料金を入力すると、費用が表示されます。</translation>
    </message>
    <message>
        <source>Altogether {money}</source>
        <translation>合計{money}</translation>
    </message>
</context>
<context>
    <name>ViewpointButton</name>
    <message>
        <source>Seen by whom</source>
        <translation>誰の視点で見るか</translation>
    </message>
    <message>
        <source>Everything, as you see it</source>
        <translation>すべて（あなたの視点）</translation>
    </message>
    <message>
        <source>As {name}</source>
        <translation>{name}の視点</translation>
    </message>
    <message>
        <source>As of an earlier floor</source>
        <translation>前の時点に戻って見る</translation>
    </message>
    <message>
        <source>Secrets…</source>
        <translation>秘密…</translation>
    </message>
    <message>
        <source>See the library as somebody of the story knows it</source>
        <translation>物語の誰かの視点でライブラリを見る</translation>
    </message>
    <message>
        <source>Seen as {name}</source>
        <translation>{name}の視点で表示中</translation>
    </message>
</context>
<context>
    <name>ViewpointStrip</name>
    <message>
        <source>As of floor</source>
        <translation>時点（フロア）</translation>
    </message>
    <message>
        <source>Back to everything</source>
        <translation>全体表示に戻る</translation>
    </message>
    <message>
        <source>Seen as {name}: only what {name} knows</source>
        <translation>{name}の視点：{name}が知ることのみ</translation>
    </message>
    <message>
        <source>This page shows now</source>
        <translation>このページは現在のまま</translation>
    </message>
    <message>
        <source>{floor} of {last}</source>
        <translation>フロア{floor}/{last}</translation>
    </message>
</context>
<context>
    <name>VolumeKinds</name>
    <message>
        <source>Story so far (outlines)</source>
        <translation>これまでのあらすじ</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>People, places and things</source>
        <translation>人物・場所・物品</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>関係</translation>
    </message>
    <message>
        <source>Open promises</source>
        <translation>果たされていない約束</translation>
    </message>
    <message>
        <source>State at the end</source>
        <translation>終わりの状態</translation>
    </message>
</context>
<context>
    <name>VolumeOpening</name>
    <message>
        <source>“{name}” is a volume: what a chat remembers.</source>
        <translation>「{name}」は記憶の巻です。あるチャットが覚えていることの集まりです。</translation>
    </message>
    <message>
        <source>Take it in</source>
        <translation>取り込む</translation>
    </message>
</context>
<context>
    <name>Volumes</name>
    <message>
        <source>Making a volume</source>
        <translation>巻を作成しています</translation>
    </message>
    <message>
        <source>The volume “{title}” was made</source>
        <translation>巻「{title}」を作成しました</translation>
    </message>
    <message>
        <source>“{chat}” reads the volume “{title}” now</source>
        <translation>「{chat}」が巻「{title}」を読むようになりました</translation>
    </message>
    <message>
        <source>Attaching a volume</source>
        <translation>巻を読ませています</translation>
    </message>
    <message>
        <source>“{chat}” no longer reads the volume “{title}”</source>
        <translation>「{chat}」は巻「{title}」を読まなくなりました</translation>
    </message>
    <message>
        <source>Detaching a volume</source>
        <translation>巻を外しています</translation>
    </message>
    <message>
        <source>Updating a volume</source>
        <translation>巻を更新しています</translation>
    </message>
    <message>
        <source>The volume “{title}” was updated</source>
        <translation>巻「{title}」を更新しました</translation>
    </message>
    <message>
        <source>Deleting a volume</source>
        <translation>巻を削除しています</translation>
    </message>
    <message>
        <source>The volume “{title}” was deleted</source>
        <translation>巻「{title}」を削除しました</translation>
    </message>
    <message>
        <source>Importing a volume</source>
        <translation>巻を取り込んでいます</translation>
    </message>
    <message>
        <source>The volume was imported</source>
        <translation>巻を取り込みました</translation>
    </message>
    <message>
        <source>This volume is in the library already</source>
        <translation>この巻はすでにライブラリにあります</translation>
    </message>
    <message>
        <source>Exporting a volume</source>
        <translation>巻を書き出しています</translation>
    </message>
    <message>
        <source>The volume “{title}” was written to a file</source>
        <translation>巻「{title}」をファイルに書き出しました</translation>
    </message>
</context>
<context>
    <name>VolumesDialog</name>
    <message>
        <source>Volumes</source>
        <translation>巻</translation>
    </message>
    <message>
        <source>A chat that reads a volume gets it as the earlier story, before its own and within the same budget. A character gets only what it knows. Nothing is copied or changed.</source>
        <translation>巻を読むチャットには、それが以前の物語として、自分の物語の前に、同じ予算の中で伝えられます。人物には知っていることだけが伝わります。何も複製も変更もされません。</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>……ほか{count}件</translation>
    </message>
    <message>
        <source>(nobody knows all of it)</source>
        <translation>（すべてを知る者はいません）</translation>
    </message>
    <message>
        <source>(known to {names})</source>
        <translation>（{names}が知る）</translation>
    </message>
    <message>
        <source>There is no volume yet. Make one of the chat below, or import a file.</source>
        <translation>まだ巻がありません。下のチャットから作成するか、ファイルをインポートします。</translation>
    </message>
    <message>
        <source>What the volume says</source>
        <translation>巻の内容</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>題名</translation>
    </message>
    <message>
        <source>Made of</source>
        <translation>元のチャット</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>読むチャット</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>Chat that reads the volume</source>
        <translation>巻を読むチャット</translation>
    </message>
    <message>
        <source>Attach</source>
        <translation>読ませる</translation>
    </message>
    <message>
        <source>Detach</source>
        <translation>外す</translation>
    </message>
    <message>
        <source>Make one…</source>
        <translation>作成…</translation>
    </message>
    <message>
        <source>Update from its chat</source>
        <translation>元のチャットから更新</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>書き出し…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>取り込み…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>削除…</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>削除済み</translation>
    </message>
    <message>
        <source>It was made of this chat: choose another one to read it.</source>
        <translation>この巻はこのチャットから作ったものです。読ませるチャットを別に選んでください。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出し</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>取り込み</translation>
    </message>
    <message>
        <source>Undo brings it back.</source>
        <translation>元に戻せます。</translation>
    </message>
    <message>
        <source>These chats read it and go on without it: {chats}.</source>
        <translation>これらのチャットが読んでいます。以後はこれなしで続きます：{chats}。</translation>
    </message>
    <message>
        <source>Delete the volume</source>
        <translation>巻を削除</translation>
    </message>
    <message>
        <source>Delete the volume “{title}”?</source>
        <translation>巻「{title}」を削除しますか？</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
</context>
<context>
    <name>WaitingCard</name>
    <message>
        <source>Findings</source>
        <translation>真偽</translation>
    </message>
    <message numerus="yes">
        <source>%n contradiction(s) without an answer</source>
        <translation>
            <numerusform>未回答の矛盾が%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n promise(s) open</source>
        <translation>
            <numerusform>果たされていない約束が%n件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them due</source>
        <translation>
            <numerusform>うち%n件は期限が来ています</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Memory for long stories</source>
        <translation>長い物語のための記憶</translation>
    </message>
    <message>
        <source>Engram reads a chat once, turns it into events you can read and correct, and recalls them when the story needs them.</source>
        <translation>Engramはチャットを一度だけ読み、読んで修正できるイベントに変え、物語が必要とするときに想起します。</translation>
    </message>
    <message>
        <source>Try the demo story</source>
        <translation>デモの物語を試す</translation>
    </message>
    <message>
        <source>A short story in a tavern. Nothing to set up, nothing is sent anywhere.</source>
        <translation>酒場を舞台にした短い物語です。設定は不要で、何も送信されません。</translation>
    </message>
    <message>
        <source>Open the demo</source>
        <translation>デモを開く</translation>
    </message>
    <message>
        <source>Play with a character…</source>
        <translation>キャラクターとプレイ…</translation>
    </message>
    <message>
        <source>Import a chat</source>
        <translation>チャットをインポート</translation>
    </message>
    <message>
        <source>Drop a .jsonl file on this window, or follow the chats of your SillyTavern folder. The files stay as they are.</source>
        <translation>このウィンドウに.jsonlファイルをドロップするか、SillyTavernフォルダのチャットに追従します。元のファイルは変更されません。</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>ファイルを選択…</translation>
    </message>
    <message>
        <source>SillyTavern folder…</source>
        <translation>SillyTavernフォルダ…</translation>
    </message>
    <message>
        <source>Set up a model</source>
        <translation>モデルの設定</translation>
    </message>
    <message>
        <source>Optional: with an OpenAI-compatible endpoint, summaries are much better.</source>
        <translation>任意：OpenAI互換の接続先を使うと、要約の質が大きく向上します。</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>設定…</translation>
    </message>
</context>
<context>
    <name>WhoDialog</name>
    <message>
        <source>Who knows this</source>
        <translation>これを知っている人</translation>
    </message>
    <message>
        <source>What is said here counts for recall at once, and can be undone.</source>
        <translation>ここでの指定はすぐ想起に反映され、元に戻せます。</translation>
    </message>
    <message>
        <source>Groups…</source>
        <translation>グループ…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>人物</translation>
    </message>
    <message>
        <source>from floor</source>
        <translation>開始フロア</translation>
    </message>
    <message>
        <source>Knows it</source>
        <translation>知っている</translation>
    </message>
    <message>
        <source>Does not know it</source>
        <translation>知らない</translation>
    </message>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>記憶%n件</numerusform>
        </translation>
    </message>
    <message>
        <source>knows {count} of {all}</source>
        <translation>{all}件中{count}件を知っている</translation>
    </message>
    <message>
        <source>Nobody in the story knows it.</source>
        <translation>物語の誰も知りません。</translation>
    </message>
    <message>
        <source>since floor {floor}: {how}</source>
        <translation>フロア{floor}から：{how}</translation>
    </message>
    <message>
        <source>Read it</source>
        <translation>原文を読む</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>取り消す</translation>
    </message>
    <message>
        <source>Let it be worked out again</source>
        <translation>推定し直す</translation>
    </message>
</context>
<context>
    <name>WhoKnows</name>
    <message>
        <source>said it</source>
        <translation>自分で言った</translation>
    </message>
    <message>
        <source>was there</source>
        <translation>その場にいた</translation>
    </message>
    <message>
        <source>was spoken to</source>
        <translation>話しかけられた</translation>
    </message>
    <message>
        <source>was told</source>
        <translation>人から聞いた</translation>
    </message>
    <message>
        <source>overheard it</source>
        <translation>立ち聞きした</translation>
    </message>
    <message>
        <source>read it</source>
        <translation>読んだ</translation>
    </message>
    <message>
        <source>thought it</source>
        <translation>自分で考えた</translation>
    </message>
    <message>
        <source>you say so</source>
        <translation>あなたの指定</translation>
    </message>
    <message>
        <source>it is unknown how</source>
        <translation>経緯は不明</translation>
    </message>
    <message>
        <source>is of {group}</source>
        <translation>{group}に所属</translation>
    </message>
    <message>
        <source>Saying who knows it</source>
        <translation>知っている人の訂正</translation>
    </message>
</context>
<context>
    <name>WhyEmpty</name>
    <message>
        <source>Every type is switched off</source>
        <translation>すべての種類がオフです</translation>
    </message>
    <message>
        <source>Switch a type on again in the legend above.</source>
        <translation>上の凡例で種類をオンにしてください。</translation>
    </message>
    <message>
        <source>Show all types</source>
        <translation>すべての種類を表示</translation>
    </message>
    <message>
        <source>Everything is filtered out</source>
        <translation>すべて除外されています</translation>
    </message>
    <message>
        <source>No entity is what the filters ask for.</source>
        <translation>フィルターに合うエンティティはありません。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>すべて表示</translation>
    </message>
    <message>
        <source>Up to floor {floor} none of them appears in the story.</source>
        <translation>フロア{floor}までの物語には、まだ登場していません。</translation>
    </message>
    <message>
        <source>Nobody is known yet</source>
        <translation>まだ誰も登場していません</translation>
    </message>
    <message>
        <source>Nothing that {name} perceived mentions anybody.</source>
        <translation>{name}が見聞きしたことには、誰も出てきません。</translation>
    </message>
    <message>
        <source>{name} knows nobody</source>
        <translation>{name}は誰のことも知りません</translation>
    </message>
    <message>
        <source>Consolidate…</source>
        <translation>記憶を整理…</translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation>要約する…</translation>
    </message>
    <message>
        <source>No entities yet</source>
        <translation>エンティティがまだありません</translation>
    </message>
    <message>
        <source>People, places and things appear here when the buffer is consolidated.</source>
        <translation>記憶を整理すると、人物・場所・物品がここに表示されます。</translation>
    </message>
</context>
<context>
    <name>WitnessGrid</name>
    <message>
        <source>Present</source>
        <translation>その場にいた</translation>
    </message>
    <message>
        <source>Knows</source>
        <translation>知っている</translation>
    </message>
    <message>
        <source>Must not know</source>
        <translation>知ってはならない</translation>
    </message>
    <message>
        <source>Unaware</source>
        <translation>知らない</translation>
    </message>
    <message>
        <source>known only while a condition holds</source>
        <translation>条件が成り立つ間だけ知っている</translation>
    </message>
    <message>
        <source>you say so</source>
        <translation>あなたの指定</translation>
    </message>
    <message>
        <source>through a group</source>
        <translation>属するグループを通じて</translation>
    </message>
    <message>
        <source>it is public</source>
        <translation>公知</translation>
    </message>
    <message>
        <source>since floor {floor}</source>
        <translation>フロア{floor}から</translation>
    </message>
    <message>
        <source>{count} cells are more than can be changed at once: {most}.</source>
        <translation>{count}マスは一度に変えられる上限（{most}）を超えています。</translation>
    </message>
    <message>
        <source>Saying who was there</source>
        <translation>居合わせた人を指定</translation>
    </message>
</context>
<context>
    <name>WitnessPage</name>
    <message>
        <source>As worked out</source>
        <translation>自動判定</translation>
    </message>
    <message>
        <source>Add a person</source>
        <translation>人物を追加</translation>
    </message>
    <message>
        <source>What a click or a drag says: {name} (key {key})</source>
        <translation>クリックやドラッグで入れる内容：{name}（キー {key}）</translation>
    </message>
    <message>
        <source>Nobody is known yet. Add a person to say who was there.</source>
        <translation>まだ誰もいません。人物を追加すると、誰が居合わせたかを指定できます。</translation>
    </message>
</context>
<context>
    <name>WitnessTable</name>
    <message>
        <source>Who was there</source>
        <translation>誰が居合わせたか</translation>
    </message>
    <message>
        <source>Persons</source>
        <translation>人物</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>As worked out</source>
        <translation>自動判定</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>編集</translation>
    </message>
    <message>
        <source>Read its messages</source>
        <translation>元のメッセージを読む</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>これを知っている人…</translation>
    </message>
</context>
<context>
    <name>WordChip</name>
    <message>
        <source>Remove {word}</source>
        <translation>{word}を削除</translation>
    </message>
    <message>
        <source>Remove this word</source>
        <translation>この語を削除</translation>
    </message>
</context>
<context>
    <name>WordChips</name>
    <message>
        <source>Add a word</source>
        <translation>語を追加</translation>
    </message>
</context>
<context>
    <name>WordsCard</name>
    <message>
        <source>Read it in the text of the chat</source>
        <translation>本文で読む</translation>
    </message>
</context>
<context>
    <name>Workspace</name>
    <message>
        <source>Try again</source>
        <translation>再試行</translation>
    </message>
    <message>
        <source>Another program deleted the chat that was shown. It lies in the trash.</source>
        <translation>表示していたチャットを別のプログラムが削除しました。ごみ箱にあります。</translation>
    </message>
    <message>
        <source>Waiting for {program} to finish writing.</source>
        <translation>{program}の書き込みが終わるのを待っています。</translation>
    </message>
</context>
<context>
    <name>WorldbookList</name>
    <message>
        <source>Saving an entry</source>
        <translation>項目の保存</translation>
    </message>
    <message numerus="yes">
        <source>Changing %n entry(ies)</source>
        <translation>
            <numerusform>%n件の項目の変更</numerusform>
        </translation>
    </message>
    <message>
        <source>Entries are moved where they are all listed by order</source>
        <translation>項目を移動するには、すべての項目を順序の値順に表示してください</translation>
    </message>
    <message>
        <source>Sort by order</source>
        <translation>順序の値順に並べ替え</translation>
    </message>
    <message>
        <source>New entry</source>
        <translation>新しい項目</translation>
    </message>
    <message>
        <source>Adding an entry</source>
        <translation>項目の追加</translation>
    </message>
    <message numerus="yes">
        <source>Deleting %n entry(ies)</source>
        <translation>
            <numerusform>%n件の項目の削除</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) deleted</source>
        <translation>
            <numerusform>項目を%n件削除しました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moving %n entry(ies)</source>
        <translation>
            <numerusform>項目%n件を移動中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) moved to “{name}”</source>
        <translation>
            <numerusform>項目%n件を「{name}」へ移動しました</numerusform>
        </translation>
    </message>
    <message>
        <source>Binding a world book</source>
        <translation>ワールドブックの紐付け</translation>
    </message>
    <message>
        <source>Renaming a world book</source>
        <translation>ワールドブックの名前の変更</translation>
    </message>
    <message>
        <source>Removing a world book</source>
        <translation>ワールドブックの削除</translation>
    </message>
    <message>
        <source>The world book “{name}” was deleted</source>
        <translation>ワールドブック「{name}」を削除しました</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>書き出し</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) changed</source>
        <translation>
            <numerusform>項目を%n件変更しました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>World book of %n entry(ies) written</source>
        <translation>
            <numerusform>%n項目のワールドブックを書き出しました</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WorldbookMerge</name>
    <message>
        <source>Comparing a world book</source>
        <translation>ワールドブックの比較</translation>
    </message>
    <message>
        <source>Merging a world book</source>
        <translation>ワールドブックの統合</translation>
    </message>
    <message>
        <source>edited in the file</source>
        <translation>ファイル内で編集</translation>
    </message>
    <message>
        <source>added in the file</source>
        <translation>ファイル内で追加</translation>
    </message>
    <message>
        <source>removed from the file</source>
        <translation>ファイルでは削除</translation>
    </message>
    <message>
        <source>, and changed here</source>
        <translation>、ここでも変更</translation>
    </message>
    <message>
        <source>the file&apos;s</source>
        <translation>ファイル側を採用</translation>
    </message>
    <message>
        <source>the memory&apos;s</source>
        <translation>記憶側を採用</translation>
    </message>
    <message>
        <source>(not there)</source>
        <translation>（なし）</translation>
    </message>
    <message>
        <source>Keys: {keys}</source>
        <translation>キーワード：{keys}</translation>
    </message>
    <message numerus="yes">
        <source>{file} is merged: %n entry(ies) of it added to the memory</source>
        <translation>
            <numerusform>{file}を統合しました：%n件の項目を記憶に取り込みました</numerusform>
        </translation>
    </message>
    <message>
        <source>Reload SillyTavern&apos;s page now: while it is open it has its old copy, and would save that over the file again.</source>
        <translation>今すぐSillyTavernのページを再読み込みしてください。開いたままのページには古い内容が残っていて、保存されるとファイルが上書きされてしまいます。</translation>
    </message>
</context>
<context>
    <name>WorldbookPage</name>
    <message>
        <source>No world books yet</source>
        <translation>ワールドブックはまだありません</translation>
    </message>
    <message>
        <source>Import a world book or a character card. Files are only read: what you change here is written to a new file when you export it.</source>
        <translation>ワールドブックかキャラクターカードをインポートしてください。元のファイルは読み取るだけで、ここでの変更はエクスポート時に新しいファイルへ書き出されます。</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>インポート…</translation>
    </message>
    <message>
        <source>World books</source>
        <translation>ワールドブック</translation>
    </message>
    <message>
        <source>No entry matches</source>
        <translation>一致する項目はありません</translation>
    </message>
    <message>
        <source>Try fewer words.</source>
        <translation>検索語を減らしてみてください。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>すべて表示</translation>
    </message>
    <message>
        <source>Characters…</source>
        <translation>キャラクター…</translation>
    </message>
    <message>
        <source>History…</source>
        <translation>履歴…</translation>
    </message>
    <message>
        <source>On in every chat</source>
        <translation>すべてのチャットで有効</translation>
    </message>
    <message>
        <source>On in this chat</source>
        <translation>このチャットで有効</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>書き出す…</translation>
    </message>
    <message>
        <source>Remove from library</source>
        <translation>ライブラリから削除</translation>
    </message>
    <message>
        <source>Export as a new book…</source>
        <translation>新規ブックに書き出し…</translation>
    </message>
    <message>
        <source>Keep in sync with a file…</source>
        <translation>ファイルと同期…</translation>
    </message>
    <message>
        <source>Search entries</source>
        <translation>項目を検索</translation>
    </message>
    <message>
        <source>Give the selected entries this mode</source>
        <translation>選択した項目をこのモードに変更</translation>
    </message>
    <message>
        <source>Add an entry</source>
        <translation>項目を追加</translation>
    </message>
    <message>
        <source>Delete selected entries</source>
        <translation>選択した項目を削除</translation>
    </message>
    <message>
        <source>Entries of the world book</source>
        <translation>ワールドブックの項目</translation>
    </message>
    <message>
        <source>made from this chat&apos;s memory</source>
        <translation>このチャットの記憶から作成</translation>
    </message>
    <message>
        <source>This chat wants a world book that is not in the library: {names}. Import it.</source>
        <translation>このチャットで使うワールドブックがライブラリにありません：{names}。インポートしてください。</translation>
    </message>
    <message>
        <source>Double-click, or F2, to rename it</source>
        <translation>ダブルクリックまたはF2で名前を変更</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n項目</numerusform>
        </translation>
    </message>
    <message>
        <source>of {name}</source>
        <translation>{name}に付属</translation>
    </message>
    <message>
        <source>on in this chat</source>
        <translation>このチャットで有効</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>読み込み中…</translation>
    </message>
    <message>
        <source>{tokens} tokens in all entries that are not disabled</source>
        <translation>無効なものを除く全項目で{tokens}トークン</translation>
    </message>
    <message>
        <source>{shown} of {count} entries</source>
        <translation>{count}件中{shown}件の項目を表示</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出す</translation>
    </message>
    <message>
        <source>World book for SillyTavern (*.json)</source>
        <translation>SillyTavernのワールドブック (*.json)</translation>
    </message>
</context>
<context>
    <name>WorldbookPanel</name>
    <message>
        <source>No entry selected</source>
        <translation>項目が選択されていません</translation>
    </message>
    <message>
        <source>Select an entry to read and change it, and to see why it fires or not.</source>
        <translation>項目を選ぶと、内容の閲覧や編集ができ、発動する理由・しない理由を確かめられます。</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>モード</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>タイトル</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>キーワード</translation>
    </message>
    <message>
        <source>Secondary keywords</source>
        <translation>副キーワード</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Large editor…</source>
        <translation>大きなエディター…</translation>
    </message>
    <message>
        <source>about {count} tokens</source>
        <translation>約{count}トークン</translation>
    </message>
    <message>
        <source>{share} % of the budget</source>
        <translation>予算の{share}%</translation>
    </message>
    <message>
        <source>Nothing is known of {names}: it is sent as it stands.</source>
        <translation>{names}は認識できません。そのまま送信されます。</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) selected. What you change here changes in all of them; a blank field means that they differ.</source>
        <translation>
            <numerusform>%n件の項目を選択中です。ここでの変更はすべてに反映されます。空欄は、項目ごとに値が異なることを示します。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>errors</name>
    <message>
        <source>{detail}</source>
        <translation>{detail}</translation>
    </message>
    <message>
        <source>There is no {kind} “{name}”.</source>
        <translation>{kind}「{name}」が見つかりません。</translation>
    </message>
    <message>
        <source>{count} have the name “{name}”: {ids}.</source>
        <translation>「{name}」という名前のものが{count}件あります：{ids}。</translation>
    </message>
    <message>
        <source>Say which one by its id.</source>
        <translation>どれなのかをidで指定してください。</translation>
    </message>
    <message>
        <source>{path} exists already.</source>
        <translation>{path}はすでに存在します。</translation>
    </message>
    <message>
        <source>Only new files are written, nothing is replaced: choose another name.</source>
        <translation>新規ファイルのみ書き込み、上書きはしません。別の名前を選んでください。</translation>
    </message>
    <message>
        <source>{path} cannot be read: {detail}.</source>
        <translation>{path}を読み込めません：{detail}。</translation>
    </message>
    <message>
        <source>The profile cannot be read: {detail}.</source>
        <translation>プロフィールを読み込めません：{detail}。</translation>
    </message>
    <message>
        <source>The setting {key} cannot be “{value}”: {detail}.</source>
        <translation>設定{key}に「{value}」は指定できません：{detail}。</translation>
    </message>
    <message>
        <source>The script cannot be run: {detail}.</source>
        <translation>スクリプトを実行できません：{detail}。</translation>
    </message>
    <message>
        <source>The text was left as it was.</source>
        <translation>テキストは元のままです。</translation>
    </message>
    <message>
        <source>The script was stopped: it took longer than {seconds} s, or too much memory.</source>
        <translation>スクリプトを停止しました：実行時間が{seconds}秒を超えたか、メモリを使いすぎました。</translation>
    </message>
    <message>
        <source>The prompt “{task}” cannot be made: {part}, line {line}: {detail}.</source>
        <translation>プロンプト「{task}」を生成できません：{part}の{line}行目、{detail}。</translation>
    </message>
    <message>
        <source>Nothing was sent. Mend the prompt, or reset it.</source>
        <translation>何も送信されていません。プロンプトを直すか、内蔵のものに戻してください。</translation>
    </message>
    <message>
        <source>The prompt “{task}” cannot be made: the program in its {part} takes too long, or too much memory.</source>
        <translation>プロンプト「{task}」を生成できません：{part}のプログラムが時間かメモリを使いすぎています。</translation>
    </message>
    <message>
        <source>The library {path} is in use by {holder}.</source>
        <translation>ライブラリ{path}は{holder}が使用中です。</translation>
    </message>
    <message>
        <source>The library {path} can only be read.</source>
        <translation>ライブラリ{path}は読み取り専用です。</translation>
    </message>
    <message>
        <source>Copy it to a place where it can be written.</source>
        <translation>書き込める場所にコピーしてください。</translation>
    </message>
    <message>
        <source>{path} was written by a newer Engram (format {found}, this one knows {known}).</source>
        <translation>{path}は新しいバージョンのEngramで書き込まれています（形式{found}、このバージョンの対応は{known}まで）。</translation>
    </message>
    <message>
        <source>Update Engram. The file was not touched.</source>
        <translation>Engramを更新してください。ファイルには手を加えていません。</translation>
    </message>
    <message>
        <source>{path} was moved, deleted or replaced while it was open.</source>
        <translation>{path}は開いている間に移動、削除、または置き換えられました。</translation>
    </message>
    <message>
        <source>Nothing more is written. Put it back, then close Engram and open it again.</source>
        <translation>これ以上は書き込みません。元に戻してから、Engramを閉じて開き直してください。</translation>
    </message>
    <message>
        <source>Close that window or wait for that command, then try again.</source>
        <translation>そのウィンドウを閉じるか、そのコマンドが終わるのを待って、もう一度試してください。</translation>
    </message>
    <message>
        <source>The folder {path} is kept in step with another chat or branch.</source>
        <translation>フォルダ{path}は別のチャットまたは分岐と同期しています。</translation>
    </message>
    <message>
        <source>Choose another folder, or let that one go first.</source>
        <translation>別のフォルダを選ぶか、先にその同期をやめてください。</translation>
    </message>
    <message>
        <source>It was left as it is. Library health mends what it can, and restores a backup.</source>
        <translation>元のまま残してあります。「ライブラリの点検」で直せるものを直し、バックアップを復元できます。</translation>
    </message>
    <message>
        <source>The backup holds everything but {names}: {detail}.</source>
        <translation>バックアップには{names}以外のすべてが入っています：{detail}。</translation>
    </message>
    <message>
        <source>What is damaged was left as it is. Older backups have it as it was then.</source>
        <translation>壊れた部分はそのままにしてあります。以前のバックアップには当時の状態が残っています。</translation>
    </message>
    <message>
        <source>There is no space left to write {path}.</source>
        <translation>空き容量がないため、{path}に書き込めません。</translation>
    </message>
    <message>
        <source>Free some space; nothing that was finished is lost.</source>
        <translation>空き容量を増やしてください。完了した分は失われていません。</translation>
    </message>
    <message>
        <source>It was changed meanwhile: {detail}.</source>
        <translation>その間に変更されました：{detail}。</translation>
    </message>
    <message>
        <source>Nothing was overwritten. Try again.</source>
        <translation>何も上書きされていません。もう一度お試しください。</translation>
    </message>
    <message>
        <source>There is nothing to undo or redo here.</source>
        <translation>元に戻す操作も、やり直す操作もありません。</translation>
    </message>
    <message>
        <source>Memory is off for this chat.</source>
        <translation>このチャットの記憶はオフになっています。</translation>
    </message>
    <message>
        <source>Set its memory mode to vectors or graph to go on.</source>
        <translation>続けるには、記憶モードを「ベクトルのみ」か「ベクトルとグラフ」にしてください。</translation>
    </message>
    <message>
        <source>No {task} endpoint is set up.</source>
        <translation>{task}の接続先が設定されていません。</translation>
    </message>
    <message>
        <source>Set one up in the settings, or go on without a model.</source>
        <translation>設定画面で登録するか、モデルなしで続けてください。</translation>
    </message>
    <message>
        <source>This copy knows no address to ask for newer versions.</source>
        <translation>このEngramには、新しいバージョンを問い合わせるアドレスがありません。</translation>
    </message>
    <message>
        <source>Enter one in the settings, under “Newer versions”.</source>
        <translation>設定の「新しいバージョン」でアドレスを入力してください。</translation>
    </message>
    <message>
        <source>The address “{url}” cannot be used: {detail}.</source>
        <translation>アドレス「{url}」は使用できません：{detail}。</translation>
    </message>
    <message>
        <source>Enter the base URL, usually ending in /v1.</source>
        <translation>ベースURLを入力してください。通常は末尾が/v1です。</translation>
    </message>
    <message>
        <source>{url} did not answer: {detail}.</source>
        <translation>{url}から応答がありません：{detail}。</translation>
    </message>
    <message>
        <source>Check the address, the server and the network.</source>
        <translation>アドレス、サーバー、ネットワークを確認してください。</translation>
    </message>
    <message>
        <source>{url} refused the key ({status}): {detail}</source>
        <translation>{url}がキーを拒否しました（{status}）：{detail}</translation>
    </message>
    <message>
        <source>Check the API key and what it may use.</source>
        <translation>APIキーとその権限を確認してください。</translation>
    </message>
    <message>
        <source>{url} asks to wait ({status}): {detail}</source>
        <translation>{url}から待機を求められました（{status}）：{detail}</translation>
    </message>
    <message>
        <source>What was finished is kept. Go on later.</source>
        <translation>完了した分は保存されています。時間をおいて続けてください。</translation>
    </message>
    <message>
        <source>{url} answered with an error ({status}): {detail}</source>
        <translation>{url}がエラーを返しました（{status}）：{detail}</translation>
    </message>
    <message>
        <source>If the server itself is right, try the base URL {better}.</source>
        <translation>サーバー自体が正しければ、ベースURL{better}を試してください。</translation>
    </message>
    <message>
        <source>The request is longer than the model at {url} reads ({status}): {detail}</source>
        <translation>リクエストが{url}のモデルの読める長さを超えています（{status}）：{detail}</translation>
    </message>
    <message>
        <source>Load the model with a larger context, or let prompts and summaries take less: floors per summary, history and budget are in the settings.</source>
        <translation>コンテキストを大きくしてモデルを読み込むか、プロンプトと要約を短くしてください。要約1回あたりのフロア数・履歴・予算は設定にあります。</translation>
    </message>
    <message>
        <source>Today&apos;s limit of {cap} tokens would be passed: {used} are spent, the next request needs about {wanted}.</source>
        <translation>本日の上限{cap}トークンを超えてしまいます：使用済み{used}、次のリクエストに約{wanted}必要です。</translation>
    </message>
    <message>
        <source>What was finished is kept. Go on tomorrow, or raise the limit in the settings.</source>
        <translation>終わった分は残っています。明日続けるか、設定で上限を上げてください。</translation>
    </message>
    <message>
        <source>The model&apos;s answer cannot be used: {detail}.</source>
        <translation>モデルの応答を使用できません：{detail}。</translation>
    </message>
    <message>
        <source>The answer was kept. Try again, or try another model.</source>
        <translation>応答は保存されています。もう一度試すか、別のモデルをお試しください。</translation>
    </message>
    <message>
        <source>The answer is longer than {limit} and was not read on.</source>
        <translation>応答が{limit}を超えたため、読み取りを打ち切りました。</translation>
    </message>
    <message>
        <source>Try again, or try another model or server.</source>
        <translation>もう一度試すか、別のモデルやサーバーをお試しください。</translation>
    </message>
    <message>
        <source>The model repeats {detail} without end and was stopped.</source>
        <translation>モデルが{detail}を際限なく繰り返したため、停止しました。</translation>
    </message>
    <message>
        <source>Try again, or try another model. A higher temperature may help as well.</source>
        <translation>もう一度試すか、別のモデルをお試しください。温度を上げると改善することもあります。</translation>
    </message>
    <message>
        <source>{file} holds no memories of a known tool.</source>
        <translation>{file}には、対応しているツールの記憶がありません。</translation>
    </message>
    <message>
        <source>Engram sync files, chats exported from Risu and world books of MemoryBooks can be taken over.</source>
        <translation>引き継げるのは、Engramの同期ファイル、Risuからエクスポートしたチャット、MemoryBooksのワールドブックです。</translation>
    </message>
    <message>
        <source>{file} holds no character card.</source>
        <translation>{file}にはキャラクターカードが含まれていません。</translation>
    </message>
    <message>
        <source>A picture that was converted or sent by a messenger loses its card.</source>
        <translation>画像を変換したりメッセージアプリで送ったりすると、カードの情報は失われます。</translation>
    </message>
    <message>
        <source>{file} is not opened: {detail}.</source>
        <translation>{file}は開きませんでした：{detail}。</translation>
    </message>
    <message>
        <source>{file} came without a picture to put the card into.</source>
        <translation>{file}には、カードを書き込める画像がありません。</translation>
    </message>
    <message>
        <source>Write it as JSON: give the file a name that ends in .json.</source>
        <translation>JSONとして書き出してください：ファイル名の末尾を.jsonにします。</translation>
    </message>
    <message>
        <source>{file} was changed while it was being read.</source>
        <translation>読み込み中に{file}が変更されました。</translation>
    </message>
    <message>
        <source>Import it again.</source>
        <translation>もう一度インポートしてください。</translation>
    </message>
    <message>
        <source>{file} is too large to be followed.</source>
        <translation>{file}は大きすぎるため、追従できません。</translation>
    </message>
    <message>
        <source>{file} is no valid JSON: line {line}, {detail}.</source>
        <translation>{file}は有効なJSONではありません：{line}行目、{detail}。</translation>
    </message>
    <message>
        <source>{file} nests values too deeply to be read.</source>
        <translation>{file}は値の入れ子が深すぎて読み込めません。</translation>
    </message>
    <message>
        <source>{file} is a damaged PNG: {detail}.</source>
        <translation>{file}は破損したPNGです：{detail}。</translation>
    </message>
    <message>
        <source>Get the card again; nothing was imported.</source>
        <translation>カードを入手し直してください。何もインポートされていません。</translation>
    </message>
    <message>
        <source>A text in {file} unpacks to more than {limit} MB: it is not read.</source>
        <translation>{file}内のテキストは展開すると{limit} MBを超えるため、読み込みません。</translation>
    </message>
    <message>
        <source>{file} holds API keys. It is not opened.</source>
        <translation>{file}にはAPIキーが保存されているため、開きません。</translation>
    </message>
    <message>
        <source>Chats, cards and world books lie in folders beside it.</source>
        <translation>チャット、カード、ワールドブックは同じ場所の各フォルダにあります。</translation>
    </message>
    <message>
        <source>{file} is {kind}, not a chat.</source>
        <translation>{file}は{kind}で、チャットではありません。</translation>
    </message>
    <message>
        <source>Choose a .jsonl file from SillyTavern&apos;s chats folder.</source>
        <translation>SillyTavernのchatsフォルダから.jsonlファイルを選んでください。</translation>
    </message>
    <message>
        <source>Take it in under Volumes, in a chat&apos;s menu.</source>
        <translation>チャットのメニューの「巻…」から取り込んでください。</translation>
    </message>
    <message>
        <source>{path} is not a SillyTavern folder.</source>
        <translation>{path}はSillyTavernのフォルダではありません。</translation>
    </message>
    <message>
        <source>Choose the folder SillyTavern is installed in, or “data” inside of it.</source>
        <translation>SillyTavernのインストール先フォルダか、その中の「data」を選んでください。</translation>
    </message>
    <message>
        <source>{file} is no preset: it is not readable as JSON.</source>
        <translation>{file}はプリセットではありません：JSONとして読み込めません。</translation>
    </message>
    <message>
        <source>{file} holds no regex script: {detail}.</source>
        <translation>{file}には正規表現スクリプトがありません：{detail}。</translation>
    </message>
    <message>
        <source>Choose a file exported from SillyTavern&apos;s Regex extension.</source>
        <translation>SillyTavernの正規表現（Regex）拡張からエクスポートしたファイルを選んでください。</translation>
    </message>
    <message>
        <source>An entry has no field “{name}”; there are: {names}.</source>
        <translation>項目に「{name}」というフィールドはありません。使えるもの：{names}。</translation>
    </message>
    <message>
        <source>“{value}” is no value for the field {name}.</source>
        <translation>「{value}」はフィールド{name}の値として使えません。</translation>
    </message>
    <message>
        <source>{file} is no world book: it holds no list of entries.</source>
        <translation>{file}はワールドブックではありません：項目のリストがありません。</translation>
    </message>
    <message>
        <source>{file} has {size} MB; files of this kind are read up to {limit}.</source>
        <translation>{file}は{size} MBあります。この種類のファイルは{limit} MBまで読み込めます。</translation>
    </message>
    <message>
        <source>{file} is no text in UTF-8, UTF-16 or GB18030.</source>
        <translation>{file}はUTF-8、UTF-16、GB18030のいずれのテキストでもありません。</translation>
    </message>
    <message>
        <source>It may be damaged. Save it again as UTF-8.</source>
        <translation>破損している可能性があります。UTF-8で保存し直してください。</translation>
    </message>
    <message>
        <source>The proxy cannot be used: {detail}.</source>
        <translation>プロキシを使用できません：{detail}。</translation>
    </message>
    <message>
        <source>Check the proxy in the settings; “as the system” reads HTTPS_PROXY and ALL_PROXY.</source>
        <translation>設定のプロキシを確認してください。「システムに合わせる」ではHTTPS_PROXYとALL_PROXYを参照します。</translation>
    </message>
    <message>
        <source>The API key holds a {char} at position {position}.</source>
        <translation>APIキーの{position}文字目に{char}が含まれています。</translation>
    </message>
    <message>
        <source>Copy the key again, without blanks or other text.</source>
        <translation>空白や余分な文字が入らないように、キーをコピーし直してください。</translation>
    </message>
    <message>
        <source>The key file {path} cannot be used: {detail}.</source>
        <translation>キーファイル{path}を使用できません：{detail}。</translation>
    </message>
    <message>
        <source>Delete it and enter the keys again.</source>
        <translation>ファイルを削除して、キーを入力し直してください。</translation>
    </message>
    <message>
        <source>The keyring of this computer cannot be used: {detail}.</source>
        <translation>このコンピューターのキーリングを使用できません：{detail}。</translation>
    </message>
    <message>
        <source>In the settings choose to keep keys for this session only, or in an unencrypted file.</source>
        <translation>設定で、キーの保存先を「このセッションのみ」か暗号化なしのファイルに変更してください。</translation>
    </message>
    <message>
        <source>The companion&apos;s request lacks “{name}”.</source>
        <translation>連携拡張からのリクエストに「{name}」がありません。</translation>
    </message>
    <message>
        <source>Install the companion of this version of Engram again.</source>
        <translation>このバージョンのEngramに対応する連携拡張をインストールし直してください。</translation>
    </message>
    <message>
        <source>The memory server cannot listen on port {port}: {detail}.</source>
        <translation>メモリサーバーがポート{port}を使用できません：{detail}。</translation>
    </message>
    <message>
        <source>Choose another port in the settings, or 0 for a free one.</source>
        <translation>設定で別のポートを選ぶか、0にして空きポートを自動で使ってください。</translation>
    </message>
    <message>
        <source>The memory server did not start.</source>
        <translation>メモリサーバーを起動できませんでした。</translation>
    </message>
    <message>
        <source>Try again; the log says what happened.</source>
        <translation>もう一度お試しください。原因はログに記録されています。</translation>
    </message>
    <message>
        <source>{file} holds memories of a chat, and no chat.</source>
        <translation>{file}に入っているのはチャットではなく、チャットの記憶です。</translation>
    </message>
    <message>
        <source>Open the chat they are of, then choose “Take over memories…” there.</source>
        <translation>その記憶のチャットを開き、そこで「記憶を引き継ぐ…」を選んでください。</translation>
    </message>
    <message>
        <source>There is no message in {file}.</source>
        <translation>{file}にはメッセージがありません。</translation>
    </message>
    <message>
        <source>It may be empty, or of a program that is not known here.</source>
        <translation>空のファイルか、未対応のプログラムのファイルかもしれません。</translation>
    </message>
    <message>
        <source>{file} holds {count} chats; they cannot go into one.</source>
        <translation>{file}には{count}件のチャットが含まれており、1つのチャットにはまとめられません。</translation>
    </message>
    <message>
        <source>Import it without choosing a chat: each gets its own.</source>
        <translation>チャットを指定せずにインポートしてください。それぞれ別のチャットになります。</translation>
    </message>
    <message>
        <source>{path} is there already, and is no companion of Engram&apos;s.</source>
        <translation>{path}はすでに存在し、Engramの連携拡張ではありません。</translation>
    </message>
    <message>
        <source>Move it away or choose another folder. It was left alone.</source>
        <translation>移動するか、別のフォルダを選んでください。手は加えていません。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {detail}.</source>
        <translation>{path}に書き込めません：{detail}。</translation>
    </message>
    <message>
        <source>Save the companion as a folder, and copy that to SillyTavern&apos;s extensions.</source>
        <translation>連携拡張をフォルダとして保存し、SillyTavernの拡張機能フォルダにコピーしてください。</translation>
    </message>
    <message>
        <source>“{name}” cannot be the name of a chat file.</source>
        <translation>「{name}」はチャットファイルの名前に使えません。</translation>
    </message>
    <message>
        <source>Rename the chat in SillyTavern.</source>
        <translation>SillyTavernでチャットの名前を変更してください。</translation>
    </message>
    <message>
        <source>A message of this chat cannot be kept: it is not one line.</source>
        <translation>このチャットには、1行になっていないため保存できないメッセージがあります。</translation>
    </message>
    <message>
        <source>The chat is too large to be followed.</source>
        <translation>このチャットは大きすぎるため、追従できません。</translation>
    </message>
    <message>
        <source>{path} lies in the library itself.</source>
        <translation>{path}はライブラリの中にあります。</translation>
    </message>
    <message>
        <source>Choose a folder outside of it.</source>
        <translation>ライブラリの外のフォルダを選んでください。</translation>
    </message>
    <message>
        <source>A request of {count} messages is more than memory reads.</source>
        <translation>1回のリクエストに{count}件のメッセージがあり、記憶が読める量を超えています。</translation>
    </message>
    <message>
        <source>It went on without memory, and nothing of it was kept.</source>
        <translation>記憶なしで転送され、内容は保存されていません。</translation>
    </message>
    <message>
        <source>The endpoint {url} is this memory server itself.</source>
        <translation>エンドポイント{url}は、このメモリサーバー自身です。</translation>
    </message>
    <message>
        <source>Enter the address of the model&apos;s server there, and give this one to the chat.</source>
        <translation>そこにはモデルのサーバーのアドレスを入力し、こちらのアドレスはチャットのプログラムに設定してください。</translation>
    </message>
    <message>
        <source>“{answer}” is no answer to a finding of the kind “{kind}”.</source>
        <translation>「{answer}」は種類「{kind}」の指摘への回答ではありません。</translation>
    </message>
    <message>
        <source>Answer one of: {choices}.</source>
        <translation>次のいずれかで回答してください：{choices}。</translation>
    </message>
    <message>
        <source>This finding was answered “{other}” meanwhile; “{answer}” was not saved.</source>
        <translation>この指摘はその間に「{other}」と回答されました。「{answer}」は保存されていません。</translation>
    </message>
    <message>
        <source>Look at it again, and answer again if you still mean it.</source>
        <translation>もう一度確認し、それでもよければ回答し直してください。</translation>
    </message>
    <message>
        <source>It failed again: {reason}</source>
        <translation>また失敗しました：{reason}</translation>
    </message>
    <message>
        <source>Open it to see the answer, and to mend it by hand.</source>
        <translation>開くと回答を見て、手で直せます。</translation>
    </message>
    <message>
        <source>{path} is no volume that can be read: {where}.</source>
        <translation>{path}は読み取れる記憶の巻ではありません：{where}。</translation>
    </message>
    <message>
        <source>Export the volume once more.</source>
        <translation>巻をもう一度書き出してください。</translation>
    </message>
    <message>
        <source>{path} is a volume of version {version}; the newest known here is {known}.</source>
        <translation>{path}はバージョン{version}の巻です。ここで読めるのは{known}までです。</translation>
    </message>
    <message>
        <source>Update the program, or export the volume with an older one.</source>
        <translation>プログラムを更新するか、古い版で巻を書き出してください。</translation>
    </message>
    <message>
        <source>“{chat}” remembers nothing that could go into a volume.</source>
        <translation>「{chat}」には巻に入れられる記憶がありません。</translation>
    </message>
    <message>
        <source>Summarise it first, or choose more kinds of memories.</source>
        <translation>先に要約するか、記憶の種類をもっと選んでください。</translation>
    </message>
    <message>
        <source>The chat that the volume “{title}” was made of is not in this library.</source>
        <translation>巻「{title}」の元のチャットは、このライブラリにありません。</translation>
    </message>
    <message>
        <source>Update it where that chat is, and import it again.</source>
        <translation>そのチャットがあるところで更新し、もう一度取り込んでください。</translation>
    </message>
    <message>
        <source>“{title}” was made of “{chat}”, which remembers all of it itself.</source>
        <translation>「{title}」は「{chat}」から作られたもので、そのチャットはすべて覚えています。</translation>
    </message>
    <message>
        <source>Choose another chat.</source>
        <translation>別のチャットを選んでください。</translation>
    </message>
    <message>
        <source>A title of 1 to {most} characters is expected.</source>
        <translation>題名は1～{most}文字で入力してください。</translation>
    </message>
    <message>
        <source>Not taken: {detail}.</source>
        <translation>取り込みませんでした：{detail}。</translation>
    </message>
</context>
<context>
    <name>prompts</name>
    <message>
        <source>The newest messages</source>
        <translation>最新のメッセージ</translation>
    </message>
    <message>
        <source>What world books say now</source>
        <translation>ワールドブックの現在の内容</translation>
    </message>
    <message>
        <source>What the player said last</source>
        <translation>プレイヤーの直近の発言</translation>
    </message>
    <message>
        <source>What is always remembered</source>
        <translation>常時の記憶</translation>
    </message>
    <message>
        <source>The character&apos;s name</source>
        <translation>キャラクターの名前</translation>
    </message>
    <message>
        <source>The player&apos;s name</source>
        <translation>プレイヤーの名前</translation>
    </message>
    <message>
        <source>Who the player is, as the settings say</source>
        <translation>プレイヤーのペルソナ（設定で入力した内容）</translation>
    </message>
    <message>
        <source>Everybody who speaks beside the player</source>
        <translation>プレイヤー以外の話者全員</translation>
    </message>
    <message>
        <source>The same</source>
        <translation>同上</translation>
    </message>
    <message>
        <source>Everybody but the character, the player too</source>
        <translation>このキャラクター以外の全員（プレイヤーを含む）</translation>
    </message>
    <message>
        <source>The card&apos;s description</source>
        <translation>カードの説明</translation>
    </message>
    <message>
        <source>The card&apos;s personality</source>
        <translation>カードの性格</translation>
    </message>
    <message>
        <source>The card&apos;s scenario</source>
        <translation>カードのシナリオ</translation>
    </message>
    <message>
        <source>The card&apos;s system prompt</source>
        <translation>カードのシステムプロンプト</translation>
    </message>
    <message>
        <source>The card&apos;s instruction after the history</source>
        <translation>カードの履歴後の指示</translation>
    </message>
    <message>
        <source>The card&apos;s note at a depth</source>
        <translation>カードの深度付きノート</translation>
    </message>
    <message>
        <source>What the card&apos;s maker notes</source>
        <translation>カードの作者コメント</translation>
    </message>
    <message>
        <source>The card&apos;s greeting</source>
        <translation>カードの最初の挨拶</translation>
    </message>
    <message>
        <source>The card&apos;s version</source>
        <translation>カードのバージョン</translation>
    </message>
    <message>
        <source>The card&apos;s examples, each with its heading</source>
        <translation>カードの会話例（各例に見出し付き）</translation>
    </message>
    <message>
        <source>The card&apos;s examples as they stand</source>
        <translation>カードの会話例（原文のまま）</translation>
    </message>
    <message>
        <source>The last message</source>
        <translation>最後のメッセージ</translation>
    </message>
    <message>
        <source>The last message of the player</source>
        <translation>プレイヤーの最後のメッセージ</translation>
    </message>
    <message>
        <source>The last message of a character</source>
        <translation>キャラクターの最後のメッセージ</translation>
    </message>
    <message>
        <source>Floor of the last message</source>
        <translation>最後のメッセージのフロア</translation>
    </message>
    <message>
        <source>First floor a model still reads</source>
        <translation>モデルがまだ読める最初のフロア</translation>
    </message>
    <message>
        <source>How many swipes the last message has</source>
        <translation>最後のメッセージにある別の返答の数</translation>
    </message>
    <message>
        <source>Which of them is chosen</source>
        <translation>そのうち選択中の番号</translation>
    </message>
    <message>
        <source>First and last floor of the chat</source>
        <translation>チャットの最初と最後のフロア</translation>
    </message>
    <message>
        <source>How long ago the player last wrote</source>
        <translation>プレイヤーの最後の発言からの経過時間</translation>
    </message>
    <message>
        <source>The author&apos;s note of the chat</source>
        <translation>チャットの作者ノート</translation>
    </message>
    <message>
        <source>The author&apos;s note of the card</source>
        <translation>カードの作者ノート</translation>
    </message>
    <message>
        <source>Name of the model that is asked</source>
        <translation>使用するモデルの名前</translation>
    </message>
    <message>
        <source>One text or another</source>
        <translation>二択のテキスト</translation>
    </message>
    <message>
        <source>A variable of the chat</source>
        <translation>チャットの変数</translation>
    </message>
    <message>
        <source>Set a variable, for this request only</source>
        <translation>変数を設定（このリクエストのみ）</translation>
    </message>
    <message>
        <source>The same by a sign, with an operator</source>
        <translation>同上（記号と演算子による記法）</translation>
    </message>
    <message>
        <source>A variable of all chats, as SillyTavern has it</source>
        <translation>全チャット共通の変数（SillyTavernの値）</translation>
    </message>
    <message>
        <source>Set one of those, for this request only</source>
        <translation>共通の変数を設定（このリクエストのみ）</translation>
    </message>
    <message>
        <source>One of those by a sign</source>
        <translation>共通の変数（記号による記法）</translation>
    </message>
    <message>
        <source>One of several</source>
        <translation>いくつかから1つを選択</translation>
    </message>
    <message>
        <source>One of several, always the same here</source>
        <translation>いくつかから1つを選択（同じ場所では常に同じ）</translation>
    </message>
    <message>
        <source>Roll dice</source>
        <translation>ダイスを振る</translation>
    </message>
    <message>
        <source>Today&apos;s date</source>
        <translation>今日の日付</translation>
    </message>
    <message>
        <source>The time of day</source>
        <translation>現在の時刻</translation>
    </message>
    <message>
        <source>A text backwards</source>
        <translation>逆順にしたテキスト</translation>
    </message>
    <message>
        <source>A new line</source>
        <translation>改行</translation>
    </message>
    <message>
        <source>Take away the empty lines around it</source>
        <translation>前後の空行を削除</translation>
    </message>
    <message>
        <source>A note that is not sent</source>
        <translation>送信されないコメント</translation>
    </message>
    <message>
        <source>Summaries</source>
        <translation>要約</translation>
    </message>
    <message>
        <source>Outlines (trim)</source>
        <translation>あらすじ（スリム化）</translation>
    </message>
    <message>
        <source>Profiles of entities</source>
        <translation>エンティティのプロフィール</translation>
    </message>
    <message>
        <source>Rewording of questions</source>
        <translation>質問の言い換え</translation>
    </message>
    <message>
        <source>What a message asks for (triage)</source>
        <translation>メッセージの意図判定（振り分け）</translation>
    </message>
    <message>
        <source>Reflection</source>
        <translation>振り返り</translation>
    </message>
    <message>
        <source>First floor</source>
        <translation>最初のフロア</translation>
    </message>
    <message>
        <source>Last floor</source>
        <translation>最後のフロア</translation>
    </message>
    <message>
        <source>The messages to summarise</source>
        <translation>要約するメッセージ</translation>
    </message>
    <message>
        <source>Names known so far</source>
        <translation>これまでに分かっている名前</translation>
    </message>
    <message>
        <source>What happened before</source>
        <translation>それ以前のイベント</translation>
    </message>
    <message>
        <source>What was said before and still stands</source>
        <translation>以前に語られ、まだ変わっていないこと</translation>
    </message>
    <message>
        <source>What world books say of them</source>
        <translation>関連するワールドブックの内容</translation>
    </message>
    <message>
        <source>The last of the messages</source>
        <translation>そのうち最後のメッセージ</translation>
    </message>
    <message>
        <source>The events to merge</source>
        <translation>まとめるイベント</translation>
    </message>
    <message>
        <source>The same, with floors, time and place</source>
        <translation>同上（フロア・時間・場所付き）</translation>
    </message>
    <message>
        <source>How many events</source>
        <translation>イベントの件数</translation>
    </message>
    <message>
        <source>Most characters of the outline</source>
        <translation>あらすじの文字数の上限</translation>
    </message>
    <message>
        <source>The messages of these events, if they are to be read</source>
        <translation>これらのイベントの元になったメッセージ（読む設定の場合）</translation>
    </message>
    <message>
        <source>The events since the last time</source>
        <translation>前回以降のイベント</translation>
    </message>
    <message>
        <source>Profiles of whom they name</source>
        <translation>イベントに登場するエンティティのプロフィール</translation>
    </message>
    <message>
        <source>What the player is about to send</source>
        <translation>プレイヤーがこれから送る発言</translation>
    </message>
    <message>
        <source>The messages to think over</source>
        <translation>振り返るメッセージ</translation>
    </message>
    <message>
        <source>What is remembered of them already</source>
        <translation>そのうちすでに記憶されている内容</translation>
    </message>
    <message>
        <source>Whose thoughts may be noted</source>
        <translation>考えを記録できるキャラクター</translation>
    </message>
    <message>
        <source>Their newest private logs</source>
        <translation>そのキャラクターの最新の個人の記録</translation>
    </message>
</context>
<context>
    <name>reports</name>
    <message>
        <source>it holds {char}</source>
        <translation>{char}が含まれています</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>空です</translation>
    </message>
    <message>
        <source>it must begin with http:// or https://</source>
        <translation>http://またはhttps://で始まる必要があります</translation>
    </message>
    <message>
        <source>it names no host</source>
        <translation>ホスト名がありません</translation>
    </message>
    <message>
        <source>it must not hold a user name or password</source>
        <translation>ユーザー名やパスワードを含めることはできません</translation>
    </message>
    <message>
        <source>it must not hold “?” or “#”; a key has its own field</source>
        <translation>「?」や「#」は使えません。キーには専用の入力欄があります</translation>
    </message>
    <message>
        <source>port 0 cannot be reached</source>
        <translation>ポート0には接続できません</translation>
    </message>
    <message>
        <source>it is a link-local address</source>
        <translation>リンクローカルアドレスです</translation>
    </message>
    <message>
        <source>line break</source>
        <translation>改行</translation>
    </message>
    <message>
        <source>blank</source>
        <translation>空白</translation>
    </message>
    <message>
        <source>chat</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>event</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>entity</source>
        <translation>エンティティ</translation>
    </message>
    <message>
        <source>relation</source>
        <translation>関係</translation>
    </message>
    <message>
        <source>suggestion</source>
        <translation>提案</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>分岐</translation>
    </message>
    <message>
        <source>message</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>private log</source>
        <translation>個人の記録</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>フォルダ</translation>
    </message>
    <message>
        <source>resource</source>
        <translation>リソース</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>下書き</translation>
    </message>
    <message>
        <source>regex script</source>
        <translation>正規表現スクリプト</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>world book</source>
        <translation>ワールドブック</translation>
    </message>
    <message>
        <source>preset</source>
        <translation>プリセット</translation>
    </message>
    <message>
        <source>entry</source>
        <translation>項目</translation>
    </message>
    <message>
        <source>character</source>
        <translation>キャラクター</translation>
    </message>
    <message>
        <source>kept world book</source>
        <translation>同期中のワールドブック</translation>
    </message>
    <message>
        <source>kept folder</source>
        <translation>同期フォルダ</translation>
    </message>
    <message>
        <source>conflict</source>
        <translation>競合</translation>
    </message>
    <message>
        <source>deleted chat</source>
        <translation>削除したチャット</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>発見</translation>
    </message>
    <message>
        <source>known person</source>
        <translation>既知の人物</translation>
    </message>
    <message>
        <source>group</source>
        <translation>グループ</translation>
    </message>
    <message>
        <source>state</source>
        <translation>ステートの値</translation>
    </message>
    <message>
        <source>volume</source>
        <translation>巻</translation>
    </message>
    <message>
        <source>line {line}: {problem}</source>
        <translation>{line}行目：{problem}</translation>
    </message>
    <message>
        <source>it must not refer to its own parts (“*name”)</source>
        <translation>自身の一部を参照することはできません（「*name」）</translation>
    </message>
    <message>
        <source>it must be lines of “key: value”</source>
        <translation>各行を「キー: 値」の形で書いてください</translation>
    </message>
    <message>
        <source>another program or task edited the event “{summary}”</source>
        <translation>別のプログラムまたはタスクがイベント「{summary}」を変更しました</translation>
    </message>
    <message>
        <source>The summary must say what happened.</source>
        <translation>要約には、何が起きたかを書いてください。</translation>
    </message>
    <message>
        <source>no such side of the lab</source>
        <translation>ラボにそのような項目はありません</translation>
    </message>
    <message>
        <source>Budgets are whole numbers from {least} to {most}, with commas.</source>
        <translation>予算は{least}から{most}までの整数で、カンマで区切ります。</translation>
    </message>
    <message>
        <source>it states no version</source>
        <translation>バージョン情報がありません</translation>
    </message>
    <message>
        <source>a line is name = base URL</source>
        <translation>各行は「名前 = ベースURL」の形で書いてください</translation>
    </message>
    <message>
        <source>this name is there twice</source>
        <translation>この名前が重複しています</translation>
    </message>
    <message>
        <source>it must be {kind}</source>
        <translation>{kind}でなければなりません</translation>
    </message>
    <message>
        <source>it must be one of {choices}</source>
        <translation>次のいずれかでなければなりません：{choices}</translation>
    </message>
    <message>
        <source>it must be from {low} to {high}</source>
        <translation>{low}～{high}の範囲でなければなりません</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>trueまたはfalse</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数値</translation>
    </message>
    <message>
        <source>text</source>
        <translation>テキスト</translation>
    </message>
    <message>
        <source>{path} cannot be {wanted}: it is {value}</source>
        <translation>{path}を{wanted}にすることはできません：現在は{value}です</translation>
    </message>
    <message>
        <source>it is longer than {most} letters</source>
        <translation>{most}文字を超えています</translation>
    </message>
    <message>
        <source>it goes through more than one list</source>
        <translation>複数のリストをまたいでいます</translation>
    </message>
    <message>
        <source>“map” makes a list: use “all” or “exists”</source>
        <translation>「map」の結果はリストです。「all」か「exists」を使ってください</translation>
    </message>
    <message>
        <source>it would take too long, since its lists are too long</source>
        <translation>リストが長すぎて、計算に時間がかかりすぎます</translation>
    </message>
    <message>
        <source>it is neither true nor false but {value}</source>
        <translation>結果が真偽値ではなく{value}です</translation>
    </message>
    <message>
        <source>it cannot be read</source>
        <translation>読み取れません</translation>
    </message>
    <message>
        <source>values of different kinds cannot be compared</source>
        <translation>種類の異なる値は比較できません</translation>
    </message>
    <message>
        <source>the state holds no {name}</source>
        <translation>状態に{name}がありません</translation>
    </message>
    <message>
        <source>there is nothing at this place</source>
        <translation>この位置には何もありません</translation>
    </message>
    <message>
        <source>a number can only be added to a number</source>
        <translation>数値に足せるのは数値だけです</translation>
    </message>
    <message>
        <source>this place is no list</source>
        <translation>この位置はリストではありません</translation>
    </message>
    <message>
        <source>this place is inside of a plain value</source>
        <translation>この位置は単純な値の内側にあります</translation>
    </message>
    <message>
        <source>this place is too deep, or in too long a list</source>
        <translation>この位置は階層が深すぎるか、リストが長すぎます</translation>
    </message>
    <message>
        <source>Another program changed it, so it is left as it is: somebody edited it, or an open SillyTavern saved its own older copy. Merge the two, entry by entry, and then reload SillyTavern&apos;s page; or keep a new file in sync instead.</source>
        <translation>別のプログラムが変更したため、元のまま残してあります。誰かが編集したか、開いたままのSillyTavernが古い内容を保存したようです。項目ごとに両者を統合してから、SillyTavernのページを再読み込みしてください。新しいファイルと同期する方法もあります。</translation>
    </message>
    <message>
        <source>The file is gone. Sync to write it again, or stop keeping it in sync.</source>
        <translation>ファイルが見つかりません。もう一度同期して書き出すか、同期を停止してください。</translation>
    </message>
    <message>
        <source>It could not be written just now; the next change of the memory tries again. Is it open in another program, or the disk full?</source>
        <translation>今は書き込めませんでした。記憶が次に変わったときに再試行します。別のプログラムで開いているか、ディスクがいっぱいになっていませんか？</translation>
    </message>
    <message>
        <source>Its chat or branch is gone. Stop keeping it in sync; the file stays.</source>
        <translation>元のチャットまたは分岐がなくなりました。同期を停止してください。ファイルは残ります。</translation>
    </message>
    <message>
        <source>It is always on.</source>
        <translation>常時有効な項目です。</translation>
    </message>
    <message>
        <source>It fired before and stays for {count} more messages.</source>
        <translation>すでに発動していて、あと{count}件のメッセージの間持続します。</translation>
    </message>
    <message>
        <source>Its text begins with @@activate.</source>
        <translation>本文が@@activateで始まっています。</translation>
    </message>
    <message>
        <source>Its meaning is near to what is being said ({score:.2f}).</source>
        <translation>今の会話と意味が近い内容です（{score:.2f}）。</translation>
    </message>
    <message>
        <source>It is switched off.</source>
        <translation>無効になっています。</translation>
    </message>
    <message>
        <source>It waits until the chat has {count} messages.</source>
        <translation>チャットのメッセージが{count}件になるまで待機します。</translation>
    </message>
    <message>
        <source>It fired before and rests for {count} more messages.</source>
        <translation>前に発動したため、あと{count}件のメッセージの間クールダウン中です。</translation>
    </message>
    <message>
        <source>It waits for other entries to mention it (level {level}).</source>
        <translation>ほかの項目で言及されるのを待っています（レベル{level}）。</translation>
    </message>
    <message>
        <source>Its text begins with @@dont_activate.</source>
        <translation>本文が@@dont_activateで始まっています。</translation>
    </message>
    <message>
        <source>It has no keyword.</source>
        <translation>キーワードがありません。</translation>
    </message>
    <message>
        <source>No keyword of it is mentioned, and meaning is not asked: Vector Storage for world info is off, as the settings have it.</source>
        <translation>キーワードの言及がなく、意味による判定も行われません。設定で、ワールド情報のVector Storageがオフになっています。</translation>
    </message>
    <message>
        <source>None of its keywords is in the last {depth} messages.</source>
        <translation>直近{depth}件のメッセージに、この項目のキーワードはありません。</translation>
    </message>
    <message>
        <source>Its chance is {probability:g} %, and {roll:.0f} was rolled.</source>
        <translation>発動率{probability:g} %に対して、出目は{roll:.0f}でした。</translation>
    </message>
    <message>
        <source>No room: it needs {tokens} tokens, and {budget} are all there is.</source>
        <translation>予算が足りません：{tokens}トークン必要ですが、全体で{budget}しかありません。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned in message {number}, counted from the last.</source>
        <translation>最後から{number}番目のメッセージに「{key}」が出てきます。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned in the last message.</source>
        <translation>最後のメッセージに「{key}」が出てきます。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned in the character card.</source>
        <translation>キャラクターカードに「{key}」が出てきます。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned in a note among the messages.</source>
        <translation>メッセージの間に挿入されたノートに「{key}」が出てきます。</translation>
    </message>
    <message>
        <source>One of its keywords is blank, which is found everywhere.</source>
        <translation>キーワードの1つが空白です。空白はどこでも一致します。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned by the entry “{entry}”.</source>
        <translation>項目「{entry}」に「{key}」が出てきます。</translation>
    </message>
    <message>
        <source>The pattern {key} matches.</source>
        <translation>パターン{key}が一致します。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned, but none of the secondary keywords.</source>
        <translation>「{key}」は出てきますが、副キーワードはどれも出てきません。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned, but so are all secondary keywords.</source>
        <translation>「{key}」が出てきますが、副キーワードもすべて出てきます。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned, but so is a secondary keyword.</source>
        <translation>「{key}」が出てきますが、副キーワードも出てきます。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned, but not all secondary keywords are.</source>
        <translation>「{key}」は出てきますが、副キーワードがすべては揃っていません。</translation>
    </message>
    <message>
        <source>“{winner}” of the group “{group}” still stays.</source>
        <translation>グループ「{group}」の「{winner}」がまだ持続中です。</translation>
    </message>
    <message>
        <source>“{winner}” of the group “{group}” fired already.</source>
        <translation>グループ「{group}」の「{winner}」がすでに発動しています。</translation>
    </message>
    <message>
        <source>“{winner}” of the group “{group}” has more keywords mentioned.</source>
        <translation>グループ「{group}」の「{winner}」のほうが、一致したキーワードが多くあります。</translation>
    </message>
    <message>
        <source>“{winner}” of the group “{group}” goes first.</source>
        <translation>グループ「{group}」では「{winner}」が優先されます。</translation>
    </message>
    <message>
        <source>“{winner}” of the group “{group}” was drawn.</source>
        <translation>グループ「{group}」の抽選で「{winner}」が選ばれました。</translation>
    </message>
    <message>
        <source>It stays and rests at once, and so leaves its group “{group}”.</source>
        <translation>持続とクールダウンが同時に成り立つため、グループ「{group}」から外れます。</translation>
    </message>
    <message>
        <source>“{winner}” was out already when it lost in the group “{group}” too; SillyTavern then leaves out whichever entry is the last.</source>
        <translation>「{winner}」は、グループ「{group}」で落選した時点ですでに除外されていました。この場合、SillyTavernは最後の項目を除外します。</translation>
    </message>
    <message>
        <source>It is not meant for an ordinary reply.</source>
        <translation>通常の返答には使われません。</translation>
    </message>
    <message>
        <source>It is not meant for a reply that is continued.</source>
        <translation>返答の続きを書くときには使われません。</translation>
    </message>
    <message>
        <source>It is not meant for a reply written for the player.</source>
        <translation>プレイヤーの代わりに書く返答には使われません。</translation>
    </message>
    <message>
        <source>It is not meant for another swipe.</source>
        <translation>別の返答（スワイプ）には使われません。</translation>
    </message>
    <message>
        <source>It is not meant for a reply made again.</source>
        <translation>再生成する返答には使われません。</translation>
    </message>
    <message>
        <source>It is not meant for a quiet request.</source>
        <translation>バックグラウンドのリクエストには使われません。</translation>
    </message>
    <message>
        <source>It is only for other characters: {wanted}.</source>
        <translation>ほかのキャラクター専用です：{wanted}。</translation>
    </message>
    <message>
        <source>It is for all characters but {wanted}.</source>
        <translation>{wanted}を除くすべてのキャラクターが対象です。</translation>
    </message>
    <message>
        <source>It is only for characters with another tag: {wanted}.</source>
        <translation>別のタグを持つキャラクター専用です：{wanted}。</translation>
    </message>
    <message>
        <source>It is for all characters but those with the tag {wanted}.</source>
        <translation>タグ{wanted}を持つキャラクター以外が対象です。</translation>
    </message>
    <message>
        <source>Its pattern could not be tried: {detail}</source>
        <translation>パターンを実行できませんでした：{detail}</translation>
    </message>
    <message>
        <source>Its keyword is a pattern, and patterns cannot be tried here.</source>
        <translation>キーワードが正規表現ですが、ここでは正規表現を実行できません。</translation>
    </message>
    <message>
        <source>the archive is damaged</source>
        <translation>アーカイブが破損しています</translation>
    </message>
    <message>
        <source>it is encrypted, or packed in a way that is not known</source>
        <translation>暗号化されているか、対応していない方式で圧縮されています</translation>
    </message>
    <message>
        <source>it would unpack to far more than any card holds</source>
        <translation>展開すると、カードとしてあり得ない大きさになります</translation>
    </message>
    <message>
        <source>it names a file outside of itself, “{name}”</source>
        <translation>自身の外にあるファイル「{name}」を指しています</translation>
    </message>
    <message>
        <source>the text is in GB18030, not UTF-8; it was converted</source>
        <translation>テキストの文字コードはUTF-8ではなくGB18030のため、変換しました</translation>
    </message>
    <message>
        <source>there are no messages in it</source>
        <translation>メッセージが含まれていません</translation>
    </message>
    <message>
        <source>the text looks as if it had been read in a wrong encoding (mojibake)</source>
        <translation>誤った文字コードで読み込まれたテキストのようです（文字化け）</translation>
    </message>
    <message>
        <source>a second chat begins here; its messages follow on</source>
        <translation>ここから2つ目のチャットが始まります。メッセージは続けて取り込みました</translation>
    </message>
    <message>
        <source>a message without text; left out</source>
        <translation>本文のないメッセージのため、除外しました</translation>
    </message>
    <message>
        <source>the line is too long to be a message; left out</source>
        <translation>行が長すぎてメッセージとは考えにくいため、除外しました</translation>
    </message>
    <message>
        <source>some bytes are not text; they were replaced</source>
        <translation>テキストでないバイトを置き換えました</translation>
    </message>
    <message>
        <source>NUL characters were dropped</source>
        <translation>NUL文字を取り除きました</translation>
    </message>
    <message>
        <source>not readable as JSON; left out</source>
        <translation>JSONとして読み込めないため、除外しました</translation>
    </message>
    <message>
        <source>nested too deep; left out</source>
        <translation>入れ子が深すぎるため、除外しました</translation>
    </message>
    <message>
        <source>not a message; left out</source>
        <translation>メッセージではないため、除外しました</translation>
    </message>
    <message>
        <source>{count} more warnings like these</source>
        <translation>同様の警告がほかに{count}件</translation>
    </message>
    <message>
        <source>the block never ends: the reply was cut off</source>
        <translation>更新ブロックが終わっていません：返答が途中で切れています</translation>
    </message>
    <message>
        <source>it holds no list of operations</source>
        <translation>操作のリストが含まれていません</translation>
    </message>
    <message>
        <source>the operation “{op}” is unknown</source>
        <translation>操作「{op}」は未対応です</translation>
    </message>
    <message>
        <source>an operation names no place</source>
        <translation>対象の位置がない操作があります</translation>
    </message>
    <message>
        <source>there are more than {most} operations</source>
        <translation>操作が{most}件を超えています</translation>
    </message>
    <message>
        <source>&lt;% has no %&gt;</source>
        <translation>&lt;%に対応する%&gt;がありません</translation>
    </message>
    <message>
        <source>{name} is for SillyTavern itself</source>
        <translation>{name}はSillyTavern専用です</translation>
    </message>
    <message>
        <source>it changes how JavaScript writes values</source>
        <translation>JavaScriptの値の書式を変えてしまいます</translation>
    </message>
    <message>
        <source>a value is missing</source>
        <translation>値がありません</translation>
    </message>
    <message>
        <source>a name in double quotes is missing</source>
        <translation>二重引用符で囲んだ名前がありません</translation>
    </message>
    <message>
        <source>a colon is missing</source>
        <translation>コロンがありません</translation>
    </message>
    <message>
        <source>a comma is missing</source>
        <translation>コンマがありません</translation>
    </message>
    <message>
        <source>a text has no closing quotation mark</source>
        <translation>閉じる引用符のないテキストがあります</translation>
    </message>
    <message>
        <source>a text holds a backslash that means nothing</source>
        <translation>テキストに無効なバックスラッシュがあります</translation>
    </message>
    <message>
        <source>a comma has nothing behind it</source>
        <translation>コンマのあとに何もありません</translation>
    </message>
    <message>
        <source>a number is too long</source>
        <translation>数値が長すぎます</translation>
    </message>
    <message>
        <source>The file</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>more text follows the end</source>
        <translation>終端のあとに余分なテキストがあります</translation>
    </message>
    <message>
        <source>it is no regular file</source>
        <translation>通常のファイルではありません</translation>
    </message>
    <message>
        <source>its name is not UTF-8; rename it</source>
        <translation>ファイル名がUTF-8ではありません。名前を変更してください</translation>
    </message>
    <message>
        <source>it is larger than {limit} MB</source>
        <translation>{limit} MBを超えています</translation>
    </message>
    <message>
        <source>its first bytes are not those of a PNG</source>
        <translation>先頭のバイトがPNGのものではありません</translation>
    </message>
    <message>
        <source>there is no chunk at byte {at}</source>
        <translation>{at}バイト目にチャンクがありません</translation>
    </message>
    <message>
        <source>it is cut off in its chunk {name}</source>
        <translation>チャンク{name}の途中で切れています</translation>
    </message>
    <message>
        <source>the checksum of its chunk {name} is wrong</source>
        <translation>チャンク{name}のチェックサムが正しくありません</translation>
    </message>
    <message>
        <source>it ends before its last chunk</source>
        <translation>最後のチャンクの前で終わっています</translation>
    </message>
    <message>
        <source>one of its texts has no end</source>
        <translation>終端のないテキストがあります</translation>
    </message>
    <message>
        <source>one of its texts cannot be unpacked</source>
        <translation>展開できないテキストがあります</translation>
    </message>
    <message>
        <source>its text “{name}” is no base64</source>
        <translation>テキスト「{name}」はbase64ではありません</translation>
    </message>
    <message>
        <source>it is no object</source>
        <translation>オブジェクトではありません</translation>
    </message>
    <message>
        <source>a chat</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>a character card (PNG)</source>
        <translation>キャラクターカード（PNG）</translation>
    </message>
    <message>
        <source>a character card (JSON)</source>
        <translation>キャラクターカード（JSON）</translation>
    </message>
    <message>
        <source>a ZIP archive or CHARX card</source>
        <translation>ZIPアーカイブまたはCHARXカード</translation>
    </message>
    <message>
        <source>a world book</source>
        <translation>ワールドブック</translation>
    </message>
    <message>
        <source>a regex script</source>
        <translation>正規表現スクリプト</translation>
    </message>
    <message>
        <source>a chat of another program</source>
        <translation>ほかのプログラムのチャット</translation>
    </message>
    <message>
        <source>a file of memories</source>
        <translation>記憶のファイル</translation>
    </message>
    <message>
        <source>a volume</source>
        <translation>巻</translation>
    </message>
    <message>
        <source>an empty file</source>
        <translation>空のファイル</translation>
    </message>
    <message>
        <source>a file of an unknown kind</source>
        <translation>種類の分からないファイル</translation>
    </message>
    <message>
        <source>cannot be read: {why}</source>
        <translation>読み込めません：{why}</translation>
    </message>
    <message>
        <source>a link; it was not followed</source>
        <translation>リンクのため、たどりませんでした</translation>
    </message>
    <message>
        <source>too many files; the rest was left out</source>
        <translation>ファイルが多すぎるため、残りは除外しました</translation>
    </message>
    <message>
        <source>the file is too large; left out</source>
        <translation>ファイルが大きすぎるため、除外しました</translation>
    </message>
    <message>
        <source>it is too large</source>
        <translation>大きすぎます</translation>
    </message>
    <message>
        <source>it is not UTF-8</source>
        <translation>UTF-8ではありません</translation>
    </message>
    <message>
        <source>it is not JSON</source>
        <translation>JSONではありません</translation>
    </message>
    <message>
        <source>the list is empty</source>
        <translation>リストが空です</translation>
    </message>
    <message>
        <source>a script has no name</source>
        <translation>名前のないスクリプトがあります</translation>
    </message>
    <message>
        <source>its address is empty</source>
        <translation>アドレスが空です</translation>
    </message>
    <message>
        <source>it redirects to {target}</source>
        <translation>{target}にリダイレクトされます</translation>
    </message>
    <message>
        <source>there is nothing at this address (404: {words})</source>
        <translation>このアドレスには何もありません（404：{words}）</translation>
    </message>
    <message>
        <source>it answers with a web page</source>
        <translation>Webページが返されました</translation>
    </message>
    <message>
        <source>the answer is empty</source>
        <translation>応答が空です</translation>
    </message>
    <message>
        <source>it gives no reason</source>
        <translation>理由は示されていません</translation>
    </message>
    <message>
        <source>no connection</source>
        <translation>接続できません</translation>
    </message>
    <message>
        <source>no connection in time</source>
        <translation>接続がタイムアウトしました</translation>
    </message>
    <message>
        <source>no answer in time</source>
        <translation>応答がタイムアウトしました</translation>
    </message>
    <message>
        <source>its certificate is not trusted ({reason})</source>
        <translation>証明書が信頼されていません（{reason}）</translation>
    </message>
    <message>
        <source>no encrypted connection (TLS: {reason})</source>
        <translation>暗号化接続を確立できません（TLS：{reason}）</translation>
    </message>
    <message>
        <source>the proxy refused ({reason})</source>
        <translation>プロキシに拒否されました（{reason}）</translation>
    </message>
    <message>
        <source>the connection broke before the answer was complete</source>
        <translation>応答の途中で接続が切れました</translation>
    </message>
    <message>
        <source>no complete answer within {limit} s</source>
        <translation>{limit}秒以内に応答が完了しませんでした</translation>
    </message>
    <message>
        <source>it read only {read} of about {sent} tokens</source>
        <translation>約{sent}トークンのうち{read}しか読まれませんでした</translation>
    </message>
    <message>
        <source>the server&apos;s content filter stopped it</source>
        <translation>サーバーのコンテンツフィルターで止められました</translation>
    </message>
    <message>
        <source>{found} vectors for {count} texts</source>
        <translation>{count}件のテキストに対してベクトルが{found}件しかありません</translation>
    </message>
    <message>
        <source>vectors without a sound index</source>
        <translation>ベクトルの番号が正しくありません</translation>
    </message>
    <message>
        <source>vectors of different dimensions: {sizes}</source>
        <translation>ベクトルの次元が揃っていません：{sizes}</translation>
    </message>
    <message>
        <source>something that is not a vector</source>
        <translation>ベクトルでないものが返されました</translation>
    </message>
    <message>
        <source>a vector that holds NaN or infinity</source>
        <translation>NaNまたは無限大を含むベクトルがあります</translation>
    </message>
    <message>
        <source>a vector of nothing but zeros</source>
        <translation>すべて0のベクトルがあります</translation>
    </message>
    <message>
        <source>it is damaged</source>
        <translation>破損しています</translation>
    </message>
    <message>
        <source>it cannot be written</source>
        <translation>書き込めません</translation>
    </message>
    <message>
        <source>the key is too long for it</source>
        <translation>キーが長すぎて保存できません</translation>
    </message>
    <message>
        <source>there is none</source>
        <translation>利用できるものがありません</translation>
    </message>
    <message>
        <source>it is locked or refused</source>
        <translation>ロックされているか、アクセスを拒否されました</translation>
    </message>
    <message>
        <source>it sent nothing more in time</source>
        <translation>時間内に続きが届きませんでした</translation>
    </message>
    <message>
        <source>a list of models was expected</source>
        <translation>モデルのリストが返されませんでした</translation>
    </message>
    <message>
        <source>there is no message in it</source>
        <translation>メッセージが含まれていません</translation>
    </message>
    <message>
        <source>no results for the texts to be ranked</source>
        <translation>並べ替えの結果が返されませんでした</translation>
    </message>
    <message>
        <source>a result without a sound index and score</source>
        <translation>番号やスコアが正しくない結果があります</translation>
    </message>
    <message>
        <source>It was stopped.</source>
        <translation>停止しました。</translation>
    </message>
    <message>
        <source>it was sent to a name that is not this server&apos;s</source>
        <translation>このサーバーのものではないホスト名あてに送られています</translation>
    </message>
    <message>
        <source>a page of “{origin}” may not use the server: see serve.origins</source>
        <translation>「{origin}」のページはこのサーバーを使用できません：serve.originsを参照してください</translation>
    </message>
    <message>
        <source>it has no key</source>
        <translation>キーがありません</translation>
    </message>
    <message>
        <source>its key is not the server&apos;s</source>
        <translation>キーがこのサーバーのものと一致しません</translation>
    </message>
    <message>
        <source>the program that asked went away</source>
        <translation>リクエスト元のプログラムが切断しました</translation>
    </message>
    <message>
        <source>the memory server was stopped</source>
        <translation>メモリサーバーが停止されました</translation>
    </message>
    <message>
        <source>Memory failed here; the log says how.</source>
        <translation>記憶の処理でエラーが発生しました。詳細はログにあります。</translation>
    </message>
    <message>
        <source>Memory took longer than {ms} ms.</source>
        <translation>記憶の処理が{ms}ミリ秒を超えました。</translation>
    </message>
    <message>
        <source>The model&apos;s context of {tokens} tokens is full.</source>
        <translation>モデルのコンテキスト（{tokens}トークン）がいっぱいです。</translation>
    </message>
    <message>
        <source>With memory the model&apos;s server refused the request: {words}</source>
        <translation>記憶を入れたリクエストをモデルのサーバーが拒否しました：{words}</translation>
    </message>
    <message>
        <source>the request is no JSON that can be read</source>
        <translation>リクエストがJSONとして読み取れません</translation>
    </message>
    <message>
        <source>It was not kept: too much waits for the disk.</source>
        <translation>保存されませんでした：ディスクへの書き込み待ちが多すぎます。</translation>
    </message>
    <message>
        <source>The model&apos;s server counted only {read} of about {sent} tokens. If its context is that short, enter it in the settings as context of the model.</source>
        <translation>約{sent}トークンのうち、モデルのサーバーは{read}しか数えませんでした。コンテキストがそれだけ短いなら、設定の「モデルのコンテキスト」に入力してください。</translation>
    </message>
    <message>
        <source>It was not kept: another program has this library open.</source>
        <translation>保存されませんでした：このライブラリは別のプログラムで開かれています。</translation>
    </message>
    <message>
        <source>Nothing answers at {url} ({words}). Try this address with /v1 at its end, in the settings.</source>
        <translation>{url}には何もありません（{words}）。設定でアドレスの末尾に/v1を付けて試してください。</translation>
    </message>
    <message>
        <source>Tools that write are off: the setting serve.mcp_writes allows them.</source>
        <translation>書き込みを行うツールはオフです。設定serve.mcp_writesで許可できます。</translation>
    </message>
    <message>
        <source>An event needs a summary.</source>
        <translation>イベントには要約が必要です。</translation>
    </message>
    <message>
        <source>A text of at most {most} characters is expected.</source>
        <translation>テキストは{most}文字以内で入力してください。</translation>
    </message>
    <message>
        <source>the list of models is too long</source>
        <translation>モデルのリストが長すぎます</translation>
    </message>
    <message>
        <source>{host} did not name its models in time.</source>
        <translation>{host}から時間内にモデルの一覧が返ってきませんでした。</translation>
    </message>
    <message>
        <source>It also holds {count} memories of another tool. They can be taken over into the chat.</source>
        <translation>別のツールの記憶も{count}件含まれています。このチャットに引き継げます。</translation>
    </message>
    <message>
        <source>{count} memories were left out: what is here from the same place is newer.</source>
        <translation>{count}件の記憶は引き継ぎませんでした。ここにある同じ出典の記憶のほうが新しいためです。</translation>
    </message>
    <message>
        <source>a backup that was interrupted; what there was of it was deleted</source>
        <translation>中断されたバックアップの残りを削除しました</translation>
    </message>
    <message>
        <source>there is nothing in this chat, as after an import that was interrupted</source>
        <translation>このチャットは空です。インポートが中断された可能性があります</translation>
    </message>
    <message>
        <source>the database is whole</source>
        <translation>データベースは正常です</translation>
    </message>
    <message>
        <source>it holds what Engram does not make, or lacks what it makes: {names}</source>
        <translation>Engramが作らないものが含まれるか、作るはずのものがありません：{names}</translation>
    </message>
    <message>
        <source>every memory is indexed</source>
        <translation>すべての記憶が索引に登録されています</translation>
    </message>
    <message>
        <source>{count} memories are not indexed as they are</source>
        <translation>{count}件の記憶で、索引と内容が一致していません</translation>
    </message>
    <message>
        <source>there is no vector yet</source>
        <translation>ベクトルはまだありません</translation>
    </message>
    <message>
        <source>the vector index holds all {count} vectors</source>
        <translation>ベクトル索引には{count}件のベクトルがすべて揃っています</translation>
    </message>
    <message>
        <source>all {count} vectors are there and are searched in memory</source>
        <translation>{count}件のベクトルがすべて揃っており、メモリ上で検索されます</translation>
    </message>
    <message>
        <source>the vector index cannot be used: {why}</source>
        <translation>ベクトル索引を使用できません：{why}</translation>
    </message>
    <message>
        <source>the change to the model {model} is at {share} %</source>
        <translation>モデル{model}への切り替えは{share} %まで完了しています</translation>
    </message>
    <message>
        <source>the vector index differs from the vectors</source>
        <translation>ベクトル索引がベクトルと一致していません</translation>
    </message>
    <message>
        <source>There is no floor {at} to fork at; the last is {last}.</source>
        <translation>分岐できるフロア{at}がありません。最後のフロアは{last}です。</translation>
    </message>
    <message>
        <source>A branch cannot be called “{wanted}”: the name is empty or taken.</source>
        <translation>分岐の名前を「{wanted}」にできません：空欄か、すでに使われています。</translation>
    </message>
    <message>
        <source>The main branch cannot be deleted; delete the chat instead.</source>
        <translation>メインの分岐は削除できません。代わりにチャットごと削除してください。</translation>
    </message>
    <message>
        <source>Other branches fork from this one; delete them first.</source>
        <translation>ここから分かれた分岐がほかにあります。先にそちらを削除してください。</translation>
    </message>
    <message>
        <source>the chat has other messages now</source>
        <translation>チャットのメッセージが変わっています</translation>
    </message>
    <message>
        <source>Floor {floor} belongs to the branch this one was forked from: change it there.</source>
        <translation>フロア{floor}は分岐元に属しています。そちらで変更してください。</translation>
    </message>
    <message>
        <source>The floors must be from 0 to {last}.</source>
        <translation>フロアは0～{last}の範囲で指定してください。</translation>
    </message>
    <message>
        <source>From 2 to {most} events become one.</source>
        <translation>1件にまとめられるのは、2～{most}件のイベントです。</translation>
    </message>
    <message>
        <source>A locked event cannot be joined. Unlock it first.</source>
        <translation>ロックしたイベントは結合できません。先にロックを解除してください。</translation>
    </message>
    <message>
        <source>Outlines cannot be joined with events.</source>
        <translation>あらすじはイベントと結合できません。</translation>
    </message>
    <message>
        <source>Events of different branches cannot be joined.</source>
        <translation>異なる分岐のイベントは結合できません。</translation>
    </message>
    <message>
        <source>The floors the entry covers are missing.</source>
        <translation>この記録に対応するフロアがありません。</translation>
    </message>
    <message>
        <source>A private log needs an owner and a text.</source>
        <translation>個人の記録には、持ち主と本文が必要です。</translation>
    </message>
    <message>
        <source>A conditional memory needs its condition.</source>
        <translation>条件付きの記憶には、条件が必要です。</translation>
    </message>
    <message>
        <source>Only an event that is not locked, and no outline, can be split.</source>
        <translation>分割できるのは、ロックされていないイベントだけです。あらすじは分割できません。</translation>
    </message>
    <message>
        <source>The second part must begin inside the event&apos;s floors.</source>
        <translation>後半の開始位置は、イベントのフロアの範囲内で指定してください。</translation>
    </message>
    <message>
        <source>Choose two entities to merge.</source>
        <translation>統合するエンティティを2つ選んでください。</translation>
    </message>
    <message>
        <source>“{alias}” is no alias of {entity}.</source>
        <translation>「{alias}」は{entity}の別名ではありません。</translation>
    </message>
    <message>
        <source>A name has 1 to {most} characters.</source>
        <translation>名前は1～{most}文字で指定してください。</translation>
    </message>
    <message>
        <source>A floor is 0 or more.</source>
        <translation>フロアは0以上で指定してください。</translation>
    </message>
    <message>
        <source>It began at floor {floor}; it cannot have ended before.</source>
        <translation>フロア{floor}で始まっているため、それより前に終わることはできません。</translation>
    </message>
    <message>
        <source>A relation links two different entities.</source>
        <translation>関係は、異なる2つのエンティティを結ぶものです。</translation>
    </message>
    <message>
        <source>The words of a relation have 1 to {most} characters.</source>
        <translation>関係の文言は1～{most}文字で指定してください。</translation>
    </message>
    <message>
        <source>it names no level</source>
        <translation>レベルが示されていません</translation>
    </message>
    <message>
        <source>A group is no member of itself.</source>
        <translation>グループは自分自身のメンバーにはなれません。</translation>
    </message>
    <message>
        <source>A name is expected.</source>
        <translation>名前が必要です。</translation>
    </message>
    <message>
        <source>No backup holds a chat that cannot be read now ({names}).</source>
        <translation>今読めないチャット（{names}）が入ったバックアップはありません。</translation>
    </message>
    <message>
        <source>{file} cannot be read as a backup: {detail}.</source>
        <translation>{file}をバックアップとして読み込めません：{detail}。</translation>
    </message>
    <message>
        <source>{file} cannot be read as a backup: {name} is empty.</source>
        <translation>{file}をバックアップとして読み込めません：{name}が空です。</translation>
    </message>
    <message>
        <source>{file} is not restored: {name} holds what Engram does not make ({names}). Somebody changed this backup.</source>
        <translation>{file}は復元されません：{name}にEngramが作らないもの（{names}）が含まれます。このバックアップは誰かに変更されています。</translation>
    </message>
    <message>
        <source>{file} is not a backup made by Engram.</source>
        <translation>{file}はEngramのバックアップではありません。</translation>
    </message>
    <message>
        <source>{file} is too large to be a backup.</source>
        <translation>{file}は大きすぎて、バックアップとは考えられません。</translation>
    </message>
    <message>
        <source>What is sent to {host} crosses the network unencrypted, the key with it: use https:// if the server has it.</source>
        <translation>{host}へ送る内容は、キーも含めて暗号化されずにネットワークを流れます。サーバーが対応していればhttps://を使ってください。</translation>
    </message>
    <message>
        <source>no line of serve.endpoints is called “{name}”</source>
        <translation>serve.endpointsに「{name}」という行がありません</translation>
    </message>
    <message>
        <source>an answer named too much: {entities} new entities and {relations} new relations were left out</source>
        <translation>応答に挙げられた名前が多すぎるため、新しいエンティティ{entities}件と新しい関係{relations}件は取り込みませんでした</translation>
    </message>
    <message>
        <source>its messages</source>
        <translation>対象のメッセージ</translation>
    </message>
    <message>
        <source>Its messages have changed since: it cannot be saved as it is.</source>
        <translation>元のメッセージが変わったため、このままでは保存できません。</translation>
    </message>
    <message>
        <source>Outlines made without the model: {count}. {reason}</source>
        <translation>モデルを使わずに作成したあらすじ：{count}件。{reason}</translation>
    </message>
    <message>
        <source>it holds no outline</source>
        <translation>あらすじが含まれていません</translation>
    </message>
    <message>
        <source>it is hardly shorter than the events it was to be made of</source>
        <translation>まとめる元のイベントとほとんど長さが変わりません</translation>
    </message>
    <message>
        <source>the answer would have dropped most of what is known of {name}; it was left as it is</source>
        <translation>応答どおりにすると{name}の情報がほとんど失われるため、元のまま残しました</translation>
    </message>
    <message>
        <source>The chat has no message yet.</source>
        <translation>チャットにはまだメッセージがありません。</translation>
    </message>
    <message>
        <source>Nothing is remembered of these floors yet: summarise them first.</source>
        <translation>これらのフロアの記憶はまだありません。先に要約してください。</translation>
    </message>
    <message>
        <source>the messages changed meanwhile</source>
        <translation>その間にメッセージが変更されました</translation>
    </message>
    <message>
        <source>Only an outline can be taken apart.</source>
        <translation>分解できるのはあらすじだけです。</translation>
    </message>
    <message>
        <source>a routine turn leaves no event</source>
        <translation>日常的なターンはイベントを残しません</translation>
    </message>
    <message>
        <source>only the first of {count} events is kept</source>
        <translation>{count}件のイベントのうち最初の1件だけを残します</translation>
    </message>
    <message>
        <source>The newest message is no reply.</source>
        <translation>最新のメッセージは返答ではありません。</translation>
    </message>
    <message>
        <source>The written scene ends here.</source>
        <translation>用意された場面はここまでです。</translation>
    </message>
    <message>
        <source>There is no reading {number}.</source>
        <translation>{number}番目の返答はありません。</translation>
    </message>
    <message>
        <source>Floor {floor} was not played here.</source>
        <translation>フロア{floor}はここでプレイしたものではありません。</translation>
    </message>
    <message>
        <source>A chat needs a character to talk with.</source>
        <translation>チャットには、話し相手のキャラクターが必要です。</translation>
    </message>
    <message>
        <source>There is no greeting {number}.</source>
        <translation>{number}番目の挨拶はありません。</translation>
    </message>
    <message>
        <source>Nobody in this chat can reply.</source>
        <translation>このチャットには返答できるキャラクターがいません。</translation>
    </message>
    <message>
        <source>A reply is being written here already.</source>
        <translation>ここではすでに返答を生成中です。</translation>
    </message>
    <message>
        <source>it holds no reply</source>
        <translation>返答が含まれていません</translation>
    </message>
    <message>
        <source>A prompt needs a text for the user&apos;s part, of at most 200,000 letters.</source>
        <translation>プロンプトのユーザー部分は空にできません。200,000文字以内で入力してください。</translation>
    </message>
    <message>
        <source>system part</source>
        <translation>システム部分</translation>
    </message>
    <message>
        <source>user part</source>
        <translation>ユーザー部分</translation>
    </message>
    <message>
        <source>Regex scripts that came with the card: {count}. They are off until you switch them on under Scripts and prompts.</source>
        <translation>カードに付属する正規表現スクリプト：{count}件。「スクリプトとプロンプト」で有効にするまではオフです。</translation>
    </message>
    <message>
        <source>There is no regex script to write.</source>
        <translation>書き出す正規表現スクリプトがありません。</translation>
    </message>
    <message>
        <source>This chat lies in no SillyTavern folder.</source>
        <translation>このチャットはどのSillyTavernフォルダにもありません。</translation>
    </message>
    <message>
        <source>The templates of the SillyTavern this chat is of cannot be read.</source>
        <translation>このチャットが属するSillyTavernのテンプレートを読み込めません。</translation>
    </message>
    <message>
        <source>The story string is not written as one: {name}.</source>
        <translation>ストーリー文字列の書き方が正しくありません：{name}。</translation>
    </message>
    <message>
        <source>it holds no JSON object</source>
        <translation>JSONオブジェクトが含まれていません</translation>
    </message>
    <message>
        <source>it names nothing to search for</source>
        <translation>検索する内容が示されていません</translation>
    </message>
    <message>
        <source>A question of the lab needs its text and what it should find.</source>
        <translation>ラボの質問には、質問文と見つかるべき内容が必要です。</translation>
    </message>
    <message>
        <source>Who looks must be in a chat: name it.</source>
        <translation>誰かの視点で検索するには、チャットの指定が必要です。</translation>
    </message>
    <message>
        <source>the file of this chat is followed</source>
        <translation>このチャットのファイルに追従しています</translation>
    </message>
    <message>
        <source>SillyTavern reported this chat</source>
        <translation>SillyTavernからこのチャットの通知がありました</translation>
    </message>
    <message>
        <source>nothing is known of this chat</source>
        <translation>このチャットの情報はまだありません</translation>
    </message>
    <message>
        <source>Several chats are called “{name}”.</source>
        <translation>「{name}」という名前のチャットが複数あります。</translation>
    </message>
    <message>
        <source>No chat is called “{name}” yet.</source>
        <translation>「{name}」という名前のチャットはまだありません。</translation>
    </message>
    <message>
        <source>The address or a header names this chat.</source>
        <translation>アドレスまたはヘッダーでこのチャットが指定されています。</translation>
    </message>
    <message>
        <source>You said that this is no chat of the library.</source>
        <translation>ライブラリのチャットではないと指定されています。</translation>
    </message>
    <message>
        <source>You said that it is this chat.</source>
        <translation>このチャットだと指定されています。</translation>
    </message>
    <message>
        <source>{count} chats hold its messages alike: it may be of each.</source>
        <translation>{count}件のチャットに同じメッセージがあり、どれなのか判別できません。</translation>
    </message>
    <message>
        <source>{count} of its {of} messages stand at the end of this chat.</source>
        <translation>{of}件のメッセージのうち{count}件が、このチャットの末尾にあります。</translation>
    </message>
    <message>
        <source>A new chat with {name}: the card stands in it.</source>
        <translation>{name}との新しいチャットです：リクエストにカードが含まれています。</translation>
    </message>
    <message>
        <source>No chat of the library holds its messages.</source>
        <translation>このメッセージを含むチャットはライブラリにありません。</translation>
    </message>
    <message>
        <source>A state needs the place where it stands.</source>
        <translation>状態には、置かれる位置の指定が必要です。</translation>
    </message>
    <message>
        <source>the preset brings none</source>
        <translation>プリセットにスクリプトは含まれていません</translation>
    </message>
    <message>
        <source>the file was changed again; compare it once more</source>
        <translation>ファイルがまた変更されました。もう一度比較してください</translation>
    </message>
    <message>
        <source>Entry {uid} is no entry; it is kept in the file and not used.</source>
        <translation>項目{uid}は正しい項目ではありません。ファイルには残りますが、使用されません。</translation>
    </message>
    <message>
        <source>Entry {uid}: “{field}” holds nothing usable; its default is used.</source>
        <translation>項目{uid}：「{field}」の値を使用できないため、既定値を使います。</translation>
    </message>
    <message>
        <source>There is another book of this name: it was stored as “{name}”.</source>
        <translation>同じ名前のワールドブックがあるため、「{name}」として保存しました。</translation>
    </message>
    <message>
        <source>the file is missing</source>
        <translation>ファイルがありません</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>ファイルが空です</translation>
    </message>
    <message>
        <source>it is a database of another program</source>
        <translation>ほかのプログラムのデータベースです</translation>
    </message>
    <message>
        <source>“{name}” already names another entity; merge the two instead</source>
        <translation>「{name}」はすでに別のエンティティの名前です。2つを統合してください</translation>
    </message>
    <message>
        <source>{path} cannot be used: {detail}.</source>
        <translation>{path}を使用できません：{detail}。</translation>
    </message>
    <message>
        <source>the newest step is now “{step}”</source>
        <translation>最新の操作は「{step}」です</translation>
    </message>
    <message>
        <source>a later change to the same rows stands in the way</source>
        <translation>同じ箇所へのあとの変更が妨げになっています</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be used: {detail}.</source>
        <translation>フォルダ{folder}を使用できません：{detail}。</translation>
    </message>
    <message>
        <source>its import was interrupted, and what there was of it was removed: import the file again</source>
        <translation>インポートが中断されたため、途中までの内容を取り除きました。ファイルをインポートし直してください</translation>
    </message>
    <message>
        <source>a chat folder the catalogue did not know; it is among the chats again</source>
        <translation>カタログに未登録のチャットフォルダを、チャット一覧に戻しました</translation>
    </message>
    <message>
        <source>an empty chat folder the catalogue did not know was removed</source>
        <translation>カタログに未登録の空のチャットフォルダを削除しました</translation>
    </message>
    <message>
        <source>a chat folder that the catalogue does not know</source>
        <translation>カタログに未登録のチャットフォルダ</translation>
    </message>
    <message>
        <source>a chat folder that cannot be used; it was moved to the trash</source>
        <translation>使用できないチャットフォルダを、ごみ箱に移動しました</translation>
    </message>
    <message>
        <source>{program} (process {pid} on {host}, since {since})</source>
        <translation>{program}（プロセス{pid}、{host}上、{since}から）</translation>
    </message>
    <message>
        <source>another program</source>
        <translation>別のプログラム</translation>
    </message>
    <message>
        <source>its tables are not those of Engram: {names}</source>
        <translation>表がEngramのものと違います：{names}</translation>
    </message>
    <message>
        <source>the content of a volume is damaged</source>
        <translation>巻の中身が壊れています</translation>
    </message>
    <message>
        <source>A private note has {count} characters: at most {most} are kept.</source>
        <translation>非公開メモが{count}文字あります：保存できるのは{most}文字までです。</translation>
    </message>
    <message>
        <source>its front matter has no end: a line of --- is missing</source>
        <translation>フロントマターが終わっていません：--- の行がありません</translation>
    </message>
    <message>
        <source>“{name}” in its front matter cannot be read</source>
        <translation>フロントマターの「{name}」を読めません</translation>
    </message>
    <message>
        <source>it has no text</source>
        <translation>本文がありません</translation>
    </message>
    <message>
        <source>it is no text in UTF-8</source>
        <translation>UTF-8のテキストではありません</translation>
    </message>
    <message>
        <source>its import was stopped: {there} of its {count} messages are in “{chat}”; import it again to take in the others</source>
        <translation>インポートが途中で止まりました。{count}件のメッセージのうち{there}件が「{chat}」にあります。もう一度インポートすると残りが入ります</translation>
    </message>
    <message>
        <source>its import was stopped; nothing of it is here: import it again</source>
        <translation>インポートが途中で止まり、何も入っていません。もう一度インポートしてください</translation>
    </message>
    <message>
        <source>its import was stopped: import it again to take in all of it</source>
        <translation>インポートが途中で止まりました。もう一度インポートするとすべて入ります</translation>
    </message>
    <message>
        <source>its import was stopped, and it cannot be read any more; what had come in is kept</source>
        <translation>インポートが途中で止まり、ファイルももう読めません。取り込まれた分は残っています</translation>
    </message>
    <message>
        <source>The folder is gone. Nothing was deleted here because of that.</source>
        <translation>フォルダがありません。そのためにここで削除したものはありません。</translation>
    </message>
    <message>
        <source>Its chat or branch is gone. Stop keeping the folder; its files stay.</source>
        <translation>そのチャットか分岐がなくなりました。同期をやめてください。ファイルは残ります。</translation>
    </message>
    <message>
        <source>It could not be written just now; the next look tries again.</source>
        <translation>今は書き込めませんでした。次の確認でもう一度試します。</translation>
    </message>
    <message>
        <source>it was changed in the file and here: choose which is to stand</source>
        <translation>ファイルとここの両方で変わりました：どちらを残すか選んでください</translation>
    </message>
    <message>
        <source>it was changed in the file and deleted here: choose which is to stand</source>
        <translation>ファイルで変わり、ここでは削除されています：どちらにするか選んでください</translation>
    </message>
    <message>
        <source>its file was deleted and it was changed here: choose which stands</source>
        <translation>ファイルは削除され、ここでは変わりました：どちらにするか選んでください</translation>
    </message>
    <message>
        <source>it is a link, which is not followed</source>
        <translation>リンクなのでたどりません</translation>
    </message>
    <message>
        <source>it is larger than {limit} kB</source>
        <translation>{limit} kBを超えています</translation>
    </message>
    <message>
        <source>it cannot be read: {reason}</source>
        <translation>読めません：{reason}</translation>
    </message>
    <message>
        <source>another file has the same name but for the case of its letters</source>
        <translation>大文字と小文字だけが違う名前のファイルがあります</translation>
    </message>
    <message>
        <source>another file is of the same memory ({file})</source>
        <translation>同じ記憶のファイルがほかにあります（{file}）</translation>
    </message>
    <message>
        <source>floors, people and what it is cannot be changed in the file: put them back</source>
        <translation>フロア、人物、種類はファイルでは変えられません：元に戻してください</translation>
    </message>
    <message>
        <source>a file makes an event or a fact; entities come from the story</source>
        <translation>ファイルから作れるのはイベントか事実です。エンティティは物語から作られます</translation>
    </message>
    <message>
        <source>more than {most} files: the others are not looked at</source>
        <translation>ファイルが{most}個を超えています：残りは見ません</translation>
    </message>
    <message>
        <source>This chat has {count} memories: a folder takes at most {most} files.</source>
        <translation>このチャットには記憶が{count}件あります：フォルダに入るのは{most}個までです。</translation>
    </message>
    <message>
        <source>{count} of {all} files are gone at once: nothing was deleted here. Say that it was meant, or bring them back</source>
        <translation>{all}個のうち{count}個のファイルが一度になくなりました：ここでは何も削除していません。意図したものだと伝えるか、ファイルを戻してください</translation>
    </message>
    <message>
        <source>{path} cannot be written: {detail}.</source>
        <translation>{path}に書き込めません：{detail}。</translation>
    </message>
    <message>
        <source>Words of message #{floor} are expected, as they stand there.</source>
        <translation>メッセージ#{floor}の文言をそのまま指定してください。</translation>
    </message>
    <message>
        <source>It was not kept: the prompt does not show who says what. Let the program put names before messages, or use its chat completion.</source>
        <translation>保存されませんでした：プロンプトからは誰の発言か分かりません。メッセージの前に名前を付けるか、そのプログラムのチャット補完を使ってください。</translation>
    </message>
</context>
<context>
    <name>settings</name>
    <message>
        <source>Chat endpoint: base URL</source>
        <translation>チャットの接続先：ベースURL</translation>
    </message>
    <message>
        <source>For example https://host/v1. Empty: no model is asked.</source>
        <translation>例：https://host/v1。空欄ではモデルを使いません。</translation>
    </message>
    <message>
        <source>Chat endpoint: model</source>
        <translation>チャットの接続先：モデル</translation>
    </message>
    <message>
        <source>Chat endpoint: time-out (s)</source>
        <translation>チャットの接続先：タイムアウト（秒）</translation>
    </message>
    <message>
        <source>Chat endpoint: requests at once</source>
        <translation>チャットの接続先：同時リクエスト数</translation>
    </message>
    <message>
        <source>Most tokens a day</source>
        <translation>1日のトークン数の上限</translation>
    </message>
    <message>
        <source>No request is started that would exceed it; 0 is no limit.</source>
        <translation>上限を超えるリクエストは送信しません。0では無制限です。</translation>
    </message>
    <message>
        <source>Price of a million prompt tokens</source>
        <translation>入力100万トークンの価格</translation>
    </message>
    <message>
        <source>0: unknown, no cost is shown.</source>
        <translation>0：不明。費用を表示しません。</translation>
    </message>
    <message>
        <source>Price of a million answer tokens</source>
        <translation>出力100万トークンの価格</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>通貨</translation>
    </message>
    <message>
        <source>Shown beside costs.</source>
        <translation>費用に添えて表示します。</translation>
    </message>
    <message>
        <source>Embedding endpoint: base URL</source>
        <translation>埋め込みの接続先：ベースURL</translation>
    </message>
    <message>
        <source>Empty: the built-in embedder runs on this computer.</source>
        <translation>空欄では、内蔵の埋め込みモデルをこのコンピューターで実行します。</translation>
    </message>
    <message>
        <source>Embedding endpoint: model</source>
        <translation>埋め込みの接続先：モデル</translation>
    </message>
    <message>
        <source>Built-in embedder</source>
        <translation>内蔵の埋め込みモデル</translation>
    </message>
    <message>
        <source>Rerank endpoint: base URL</source>
        <translation>リランクの接続先：ベースURL</translation>
    </message>
    <message>
        <source>Rerank endpoint: model</source>
        <translation>リランクの接続先：モデル</translation>
    </message>
    <message>
        <source>Status bars, folded details, tables, choices, scripts and styles.</source>
        <translation>ステータスバー、折りたたみ、表、選択肢、スクリプト、スタイル。</translation>
    </message>
    <message>
        <source>Floors per summary</source>
        <translation>要約1回あたりのフロア数</translation>
    </message>
    <message>
        <source>How many messages one summary covers.</source>
        <translation>1回の要約で扱うメッセージの数です。</translation>
    </message>
    <message>
        <source>Newest floors left alone</source>
        <translation>手を付けない最新フロア数</translation>
    </message>
    <message>
        <source>They may still be rerolled or edited.</source>
        <translation>再生成や編集される可能性があるためです。</translation>
    </message>
    <message>
        <source>Buffer: events</source>
        <translation>バッファ：イベント数</translation>
    </message>
    <message>
        <source>Consolidate when this many events wait; 0 is never.</source>
        <translation>待機中のイベントがこの数に達したら整理します。0では整理しません。</translation>
    </message>
    <message>
        <source>Buffer: tokens</source>
        <translation>バッファ：トークン数</translation>
    </message>
    <message>
        <source>Consolidate when the waiting events cost so much; 0 is never.</source>
        <translation>待機中のイベントがこのトークン数に達したら整理します。0では整理しません。</translation>
    </message>
    <message>
        <source>Limit of always-visible text (tokens)</source>
        <translation>常時テキストの上限（トークン）</translation>
    </message>
    <message>
        <source>Above it, old events are merged into outlines.</source>
        <translation>上限を超えると、古いイベントをあらすじにまとめます。</translation>
    </message>
    <message>
        <source>Newest events in full</source>
        <translation>全文で残す最新イベント数</translation>
    </message>
    <message>
        <source>Automatic consolidation leaves this many in the buffer; the story so far gives them in full.</source>
        <translation>自動整理ではこの件数をバッファに残し、「これまでのあらすじ」に全文で載せます。</translation>
    </message>
    <message>
        <source>Outlines are written</source>
        <translation>あらすじの作成方法</translation>
    </message>
    <message>
        <source>auto: by the model, if one is set up, one request for about ten events; extractive: by choosing sentences, without a request.</source>
        <translation>auto：モデルがあればモデルが書きます（イベント約10件につき1リクエスト）。extractive：文を抜き出して作ります（リクエストなし）。</translation>
    </message>
    <message>
        <source>Memory mode</source>
        <translation>記憶モード</translation>
    </message>
    <message>
        <source>off: nothing is summarised or injected.</source>
        <translation>オフ：要約も注入も行いません。</translation>
    </message>
    <message>
        <source>New entities per message, at most</source>
        <translation>メッセージごとの新規エンティティ数の上限</translation>
    </message>
    <message>
        <source>Keeps a bad answer from flooding the graph; known entities are free.</source>
        <translation>質の悪い応答でグラフがあふれるのを防ぎます。既知のエンティティは数えません。</translation>
    </message>
    <message>
        <source>New relations per message, at most</source>
        <translation>メッセージごとの新規関係数の上限</translation>
    </message>
    <message>
        <source>As above, for the edges between entities.</source>
        <translation>同上。エンティティ間のつながりの数です。</translation>
    </message>
    <message>
        <source>Floors per update of profiles</source>
        <translation>プロフィール更新の間隔（フロア）</translation>
    </message>
    <message>
        <source>How often a model is asked what is new about entities; 0 is never.</source>
        <translation>エンティティの新情報をモデルに尋ねる間隔です。0では尋ねません。</translation>
    </message>
    <message>
        <source>Profiles from the messages too</source>
        <translation>プロフィールの更新にメッセージも使う</translation>
    </message>
    <message>
        <source>An update of profiles reads the messages themselves, not only the events made of them: looks and habits that no event mentions, for about as many tokens as the messages have.</source>
        <translation>プロフィールの更新時に、イベントだけでなく元のメッセージも読みます。イベントに書かれない外見や癖まで拾えますが、メッセージとほぼ同じ量のトークンを使います。</translation>
    </message>
    <message>
        <source>Summarise, consolidate and trim automatically</source>
        <translation>要約・整理・スリム化を自動で行う</translation>
    </message>
    <message>
        <source>Look back on a session by itself</source>
        <translation>セッションを自動で振り返る</translation>
    </message>
    <message>
        <source>With a model: when the buffer is full and when a session is over, events that were missed and what each character keeps to itself are noted, one request for each character and block. It is announced and can be undone.</source>
        <translation>モデルがある場合：バッファがいっぱいになったときとセッションの終了後に、見落としたイベントと各キャラクターの胸の内を書き留めます。キャラクターとブロックごとに1リクエストです。実行時に通知され、元に戻せます。</translation>
    </message>
    <message>
        <source>A session is over after minutes of silence</source>
        <translation>セッション終了とみなす無言の時間（分）</translation>
    </message>
    <message>
        <source>One that was open when the program was closed is looked back on when its chat is shown again, if it has been silent for so long.</source>
        <translation>プログラムの終了時に続いていたセッションは、この時間以上静かであれば、次にチャットを開いたときに振り返ります。</translation>
    </message>
    <message>
        <source>Review before saving</source>
        <translation>保存前に確認</translation>
    </message>
    <message>
        <source>What a model wrote waits until you have looked through it.</source>
        <translation>モデルが書いた内容は、確認するまで保存されません。</translation>
    </message>
    <message>
        <source>Play: who says what a turn is</source>
        <translation>プレイ：ターンの種類の判定</translation>
    </message>
    <message>
        <source>rules: at once, without a request. model: one short request before each reply; where it fails, rules.</source>
        <translation>rules：リクエストなしで即座に判定します。model：返答のたびに短いリクエストを1回送り、失敗したらルールで判定します。</translation>
    </message>
    <message>
        <source>Play: how a reply changes the state</source>
        <translation>プレイ：返答による状態の変更方法</translation>
    </message>
    <message>
        <source>tools: by calling functions. tags: by marks in its text. auto: tools, and tags where the endpoint takes none.</source>
        <translation>tools：関数呼び出しで変更します。tags：文中の印で変更します。auto：関数を使い、接続先が対応していなければタグを使います。</translation>
    </message>
    <message>
        <source>Play: history in the prompt (tokens)</source>
        <translation>プレイ：プロンプト内の履歴（トークン）</translation>
    </message>
    <message>
        <source>The newest messages that fit; what is older comes back by recall.</source>
        <translation>収まる範囲の最新メッセージです。それより古いものは想起で補います。</translation>
    </message>
    <message>
        <source>Who the player is</source>
        <translation>プレイヤーの設定</translation>
    </message>
    <message>
        <source>What {{persona}} says, and what world books may look through.</source>
        <translation>{{persona}}の内容です。ワールドブックの検索対象にもできます。</translation>
    </message>
    <message>
        <source>World book of the player</source>
        <translation>プレイヤーのワールドブック</translation>
    </message>
    <message>
        <source>Name of a world book that is on in this chat, as a persona&apos;s book is.</source>
        <translation>このチャットで有効にするワールドブックの名前です。ペルソナのワールドブックに当たります。</translation>
    </message>
    <message>
        <source>Who the player is stands among the messages</source>
        <translation>プレイヤーの設定をメッセージの間に挿入</translation>
    </message>
    <message>
        <source>World books look through it then, as SillyTavern&apos;s do.</source>
        <translation>その場合、SillyTavernと同じくワールドブックの検索対象になります。</translation>
    </message>
    <message>
        <source>If it is unclear who was there</source>
        <translation>誰がその場にいたか分からないとき</translation>
    </message>
    <message>
        <source>Who then knows what was said: only those who speak there, or nobody. Never everybody.</source>
        <translation>その場の発言を誰が知っているとみなすかを決めます：そこで話した人だけ、または誰も知らない。全員とみなすことはありません。</translation>
    </message>
    <message>
        <source>Run SillyTavern&apos;s regex scripts</source>
        <translation>SillyTavernの正規表現スクリプトを実行</translation>
    </message>
    <message>
        <source>On what a model reads, before the program&apos;s own rules.</source>
        <translation>モデルが読む内容に、プログラム自身のルールより先に適用します。</translation>
    </message>
    <message>
        <source>Run EJS programs</source>
        <translation>EJSプログラムを実行</translation>
    </message>
    <message>
        <source>In messages, world books and your own prompts, text between &lt;% and %&gt; is run as a small program, which can read the chat, world books and cards, and changes nothing.</source>
        <translation>メッセージ、ワールドブック、自作のプロンプトで、&lt;%と%&gt;の間のテキストを小さなプログラムとして実行します。チャット、ワールドブック、カードを読み取れますが、何も変更しません。</translation>
    </message>
    <message>
        <source>Leave out thoughts</source>
        <translation>思考を除外</translation>
    </message>
    <message>
        <source>&lt;think&gt; and its like.</source>
        <translation>&lt;think&gt;などです。</translation>
    </message>
    <message>
        <source>Leave out updates of variables</source>
        <translation>変数の更新を除外</translation>
    </message>
    <message>
        <source>&lt;UpdateVariable&gt;, &lt;state_update&gt;, table edits and their like.</source>
        <translation>&lt;UpdateVariable&gt;、&lt;state_update&gt;、表の編集などです。</translation>
    </message>
    <message>
        <source>Leave out status panels</source>
        <translation>ステータスパネルを除外</translation>
    </message>
    <message>
        <source>Leave out disclaimers</source>
        <translation>免責文を除外</translation>
    </message>
    <message>
        <source>&lt;disclaimer&gt;, whole lines such as (OOC: …), and a last line in brackets that calls it all fiction.</source>
        <translation>&lt;disclaimer&gt;、「（OOC：…）」のような行全体、末尾にかっこ書きされた「すべてフィクションです」といった文です。</translation>
    </message>
    <message>
        <source>Leave out HTML comments</source>
        <translation>HTMLコメントを除外</translation>
    </message>
    <message>
        <source>Leave out code blocks</source>
        <translation>コードブロックを除外</translation>
    </message>
    <message>
        <source>Those fenced as HTML, JSON, YAML, CSS or JavaScript.</source>
        <translation>HTML、JSON、YAML、CSS、JavaScriptと指定されたものです。</translation>
    </message>
    <message>
        <source>Take away tags</source>
        <translation>タグを取り除く</translation>
    </message>
    <message>
        <source>What stands between them stays.</source>
        <translation>タグの間のテキストは残します。</translation>
    </message>
    <message>
        <source>Take away Markdown</source>
        <translation>Markdownを取り除く</translation>
    </message>
    <message>
        <source>Links, headings, rules and bold; *actions* stay.</source>
        <translation>リンク、見出し、区切り線、太字です。*動作*は残します。</translation>
    </message>
    <message>
        <source>As messages arrive. With a model, a backlog of more than three blocks is never started without asking first.</source>
        <translation>メッセージが届くたびに行います。モデルを使う場合、3ブロックを超える未処理分は、確認なしには始めません。</translation>
    </message>
    <message>
        <source>Memories per recall</source>
        <translation>1回の想起で取り出す記憶の数</translation>
    </message>
    <message>
        <source>Let the model reword questions</source>
        <translation>モデルに質問を言い換えさせる</translation>
    </message>
    <message>
        <source>Before a recall for a prompt, the chat model says what “her” and “that thing” mean. One short request each time.</source>
        <translation>プロンプト用の想起の前に、「彼女」や「あれ」が何を指すかをチャットモデルが補います。毎回、短いリクエストが1回発生します。</translation>
    </message>
    <message>
        <source>Prefer what is recent</source>
        <translation>新しい記憶を優先</translation>
    </message>
    <message>
        <source>The newest memories gain so much of their score; the oldest lose it.</source>
        <translation>この割合だけ、最新の記憶のスコアを上げ、最も古い記憶のスコアを下げます。</translation>
    </message>
    <message>
        <source>Injection budget (tokens)</source>
        <translation>注入の予算（トークン）</translation>
    </message>
    <message>
        <source>Always-visible text and recalled memories together.</source>
        <translation>常時テキストと想起した記憶の合計です。</translation>
    </message>
    <message>
        <source>Inject only what is at least</source>
        <translation>注入する記憶の最低信頼度</translation>
    </message>
    <message>
        <source>imported: everything; then extracted, said by a model, confirmed by you.</source>
        <translation>imported：すべて。以降、モデルを使わず抽出、モデルによる記述、確認済みの順に厳しくなります。</translation>
    </message>
    <message>
        <source>Inject what hardly fits too</source>
        <translation>関連の薄いものも注入</translation>
    </message>
    <message>
        <source>Off, nothing is recalled into a prompt for greetings, noise, and questions that the chat has no answer to.</source>
        <translation>オフの場合、挨拶や意味のない文、このチャットに答えのない質問では、プロンプトに何も想起しません。</translation>
    </message>
    <message>
        <source>Injection: how memories are worded</source>
        <translation>注入：記憶の伝え方</translation>
    </message>
    <message>
        <source>plain: what was said, when and by whom. attributed: how long ago, and who said it. light: the model is asked to let it colour the reply and to recite nothing.</source>
        <translation>plain：いつ、誰が、何を言ったか。attributed：どれくらい前に、誰が言ったか。light：返信に自然ににじませ、そのまま語らないようモデルに求めます。</translation>
    </message>
    <message>
        <source>Let memories rest that were just used</source>
        <translation>使ったばかりの記憶を休ませる</translation>
    </message>
    <message>
        <source>What stood in the prompts of the last three replies yields to other memories, unless the question asks for it.</source>
        <translation>直近3回の返信のプロンプトに入っていた記憶は、質問がそれを求めない限り、ほかの記憶に譲ります。</translation>
    </message>
    <message>
        <source>This many of the newest messages are in the prompt anyway and are not repeated, if nothing says which are. The memory server, the companion and play always know.</source>
        <translation>どれが入っているか示されない場合、この件数の最新メッセージはもともとプロンプトに入っているものとして繰り返しません。メモリサーバー、連携拡張、プレイでは常に分かります。</translation>
    </message>
    <message>
        <source>Floors the chat still sends</source>
        <translation>チャットがまだ送信しているフロア数</translation>
    </message>
    <message>
        <source>Injection: order</source>
        <translation>注入：順序</translation>
    </message>
    <message>
        <source>stable: what was recalled follows what is always visible, so that prompt caches stay good. story: both in one line of story order.</source>
        <translation>stable：想起した内容を常時テキストの後に置き、プロンプトキャッシュを有効に保ちます。story：両方を物語の順に並べます。</translation>
    </message>
    <message>
        <source>Ask first how much memory a message needs</source>
        <translation>必要な記憶の量を先に判定する</translation>
    </message>
    <message>
        <source>One short request each time. A greeting gets only what is always visible, talk the usual, a turning point world books too.</source>
        <translation>毎回、短いリクエストが1回発生します。挨拶には常時テキストだけ、会話には通常どおり、転機となる場面にはワールドブックも加えます。</translation>
    </message>
    <message>
        <source>Vector index</source>
        <translation>ベクトル索引</translation>
    </message>
    <message>
        <source>auto: exact search while the chat is small or the index is behind.</source>
        <translation>auto：チャットが小さいか、索引の更新が遅れている間は、厳密検索を使います。</translation>
    </message>
    <message>
        <source>Chroma server</source>
        <translation>Chromaサーバー</translation>
    </message>
    <message>
        <source>Raise it for a model on this computer that takes long to answer.</source>
        <translation>このコンピューターのモデルが応答に時間がかかるときは、大きくしてください。</translation>
    </message>
    <message>
        <source>More is quicker, unless the server refuses some or answers one by one.</source>
        <translation>多いほど速くなります。ただし、サーバーが一部を拒否する場合や、1つずつ応答する場合は別です。</translation>
    </message>
    <message>
        <source>Used without an endpoint. Hashes need less memory and find the same letters only, not the same meaning. After a change all memories get new vectors.</source>
        <translation>接続先がないときに使われます。文字ハッシュはメモリが少なくて済みますが、同じ文字しか見つけられず、同じ意味は見つけられません。変更すると、すべての記憶のベクトルが作り直されます。</translation>
    </message>
    <message>
        <source>Start the memory server with the program</source>
        <translation>起動時にメモリサーバーも起動</translation>
    </message>
    <message>
        <source>Other programs on this computer can then be given memory.</source>
        <translation>このコンピューターのほかのプログラムでも記憶を使えるようになります。</translation>
    </message>
    <message>
        <source>Memory server: port</source>
        <translation>メモリサーバー：ポート</translation>
    </message>
    <message>
        <source>0 takes a free one each time.</source>
        <translation>0では、毎回空いているポートを使います。</translation>
    </message>
    <message>
        <source>Memory server: open to the network</source>
        <translation>メモリサーバー：ネットワークに公開</translation>
    </message>
    <message>
        <source>Other machines of your network can reach it, a phone for instance. Anyone with the key can then read your memories and use your endpoint; what is sent is not encrypted.</source>
        <translation>スマートフォンなど、同じネットワークのほかの機器から接続できます。キーを持つ人は、記憶を読み、接続先を使用できます。通信は暗号化されません。</translation>
    </message>
    <message>
        <source>Memory server: time for memory (ms)</source>
        <translation>メモリサーバー：記憶の処理時間（ミリ秒）</translation>
    </message>
    <message>
        <source>A request that would wait longer goes on without memory.</source>
        <translation>これより長く待つリクエストは、記憶なしで続行します。</translation>
    </message>
    <message>
        <source>Memory server: where memory stands</source>
        <translation>メモリサーバー：記憶の挿入位置</translation>
    </message>
    <message>
        <source>apart: the story so far after the system prompt, what is recalled before the last message, so that a model&apos;s server need not read the chat between them again. system: all after the system prompt. depth: so many messages before the end. last: before the last message. A placeholder {{engramSummaries}} in the prompt wins.</source>
        <translation>apart：これまでの物語はシステムプロンプトの後、思い出したことは最後のメッセージの前。間のチャットをモデルのサーバーが読み直さずに済みます。system：すべてシステムプロンプトの後。depth：末尾からその件数だけ前。last：最後のメッセージの前。プロンプト中の {{engramSummaries}} があればそこが優先されます。</translation>
    </message>
    <message>
        <source>Memory server: messages between memory and the end</source>
        <translation>メモリサーバー：記憶から末尾までのメッセージ数</translation>
    </message>
    <message>
        <source>Where memory stands at a depth.</source>
        <translation>記憶の挿入位置がdepthのときに使います。</translation>
    </message>
    <message>
        <source>Memory server: keep what is said</source>
        <translation>メモリサーバー：会話を保存</translation>
    </message>
    <message>
        <source>A chat that comes through the server becomes a chat of the library. One that is followed in a SillyTavern folder is left to its file.</source>
        <translation>サーバーを経由したチャットを、ライブラリのチャットとして保存します。SillyTavernのフォルダで追従中のチャットは、引き続きそのファイルに従います。</translation>
    </message>
    <message>
        <source>Memory server: newest floors sent word for word</source>
        <translation>メモリサーバー：原文のまま送る最新フロア数</translation>
    </message>
    <message>
        <source>Older messages that memory already covers are left out of the request. 0: none.</source>
        <translation>それより古く、記憶に含まれている内容はリクエストから省きます。0では何も省きません。</translation>
    </message>
    <message>
        <source>Memory server: context of the model (tokens)</source>
        <translation>メモリサーバー：モデルのコンテキスト（トークン）</translation>
    </message>
    <message>
        <source>What a request, its reply and memory may take together. Where it is full, the oldest messages that memory tells already are left out, and memory is shortened. 0: as the model&apos;s server says when it refuses a request.</source>
        <translation>リクエスト・返答・記憶を合わせて使える長さ。いっぱいのときは、記憶がすでに語っている最も古いメッセージを送らず、記憶も短くします。0：サーバーがリクエストを拒否したときに言う値に従います。</translation>
    </message>
    <message>
        <source>Memory server: further endpoints</source>
        <translation>メモリサーバー：追加の接続先</translation>
    </message>
    <message>
        <source>One a line: name = base URL, and the beginnings of the model names it is asked for. “name/model” asks it for any model. All else goes to the chat endpoint.</source>
        <translation>1行に1件：「名前 = ベースURL」に続けて、担当するモデル名の先頭部分を書きます。「名前/モデル」と指定すれば、任意のモデルを使えます。それ以外はチャットの接続先に送られます。</translation>
    </message>
    <message>
        <source>Memory server: web pages that may use it</source>
        <translation>メモリサーバー：利用を許可するWebページ</translation>
    </message>
    <message>
        <source>One a line, as https://example.org. Pages of this computer may; programs that are no page are not asked. The key is needed in any case.</source>
        <translation>1行に1件、https://example.orgのように書きます。このコンピューターのページは常に利用でき、Webページでないプログラムは制限されません。いずれの場合もキーは必要です。</translation>
    </message>
    <message>
        <source>MCP: allow tools that write</source>
        <translation>MCP：書き込みツールを許可</translation>
    </message>
    <message>
        <source>Note an event, set a state. Each is a step that can be undone.</source>
        <translation>イベントの記録や状態の設定です。どの操作も元に戻せます。</translation>
    </message>
    <message>
        <source>SillyTavern folder</source>
        <translation>SillyTavernフォルダ</translation>
    </message>
    <message>
        <source>Its own folder, or “data” inside of it. It is only read.</source>
        <translation>SillyTavernのフォルダ、またはその中の「data」です。読み取るだけで変更しません。</translation>
    </message>
    <message>
        <source>Follow chats in it</source>
        <translation>フォルダ内のチャットに追従</translation>
    </message>
    <message>
        <source>chosen: those you ticked, and their branches. all: every chat, new ones too. off: none.</source>
        <translation>chosen：チェックしたチャットとその分岐。all：新しいものを含むすべてのチャット。off：追従しません。</translation>
    </message>
    <message>
        <source>Scan world books as SillyTavern does</source>
        <translation>SillyTavernと同じ方法でワールドブックを検索</translation>
    </message>
    <message>
        <source>Its depth, budget and other rules are taken along with the folder and when they change there. A rule you set here yourself stays.</source>
        <translation>検索の深さや予算などのルールをフォルダから引き継ぎ、SillyTavern側の変更にも追従します。ここで自分で設定したルールは変わりません。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>言語</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>テーマ</translation>
    </message>
    <message>
        <source>Event cards</source>
        <translation>イベントカード</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>アニメーション</translation>
    </message>
    <message>
        <source>What opens and closes is seen to move, for a seventh of a second.</source>
        <translation>展開や折りたたみの動きを、約7分の1秒のアニメーションで表示します。</translation>
    </message>
    <message>
        <source>Order of events</source>
        <translation>イベントの並び順</translation>
    </message>
    <message>
        <source>Order of events turned round</source>
        <translation>イベントの並び順を逆にする</translation>
    </message>
    <message>
        <source>Order of world book entries</source>
        <translation>ワールドブックの項目の並び順</translation>
    </message>
    <message>
        <source>Zoom in percent</source>
        <translation>表示倍率（%）</translation>
    </message>
    <message>
        <source>Times the scale of the screen. From the next start on.</source>
        <translation>画面の拡大率に掛け合わせます。次回の起動から反映されます。</translation>
    </message>
    <message>
        <source>Notify when a long task ends while the window is away</source>
        <translation>ウィンドウが背面にあるとき、長いタスクの終了を知らせる</translation>
    </message>
    <message>
        <source>After more than ten seconds, by a notification of the system: the name of the task and how it ended, nothing of a chat.</source>
        <translation>ウィンドウが前面にないとき、10秒を超えるタスクの終了をシステム通知で知らせます。通知に含まれるのはタスク名と結果だけで、チャットの内容は含まれません。</translation>
    </message>
    <message>
        <source>Card template</source>
        <translation>カードのテンプレート</translation>
    </message>
    <message>
        <source>How an event reads; empty is the built-in card.</source>
        <translation>イベントの表示形式です。空欄では内蔵のカードを使います。</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>プロキシ</translation>
    </message>
    <message>
        <source>For everything that is asked over the network; servers on this computer are always asked directly. The system&apos;s is that of HTTPS_PROXY, ALL_PROXY or its own settings.</source>
        <translation>ネットワーク経由のすべての通信に使います。このコンピューター上のサーバーには常に直接接続します。「システムに合わせる」では、HTTPS_PROXY、ALL_PROXY、またはシステムの設定を使います。</translation>
    </message>
    <message>
        <source>Address of the proxy</source>
        <translation>プロキシのアドレス</translation>
    </message>
    <message>
        <source>For example http://127.0.0.1:7890</source>
        <translation>例：http://127.0.0.1:7890</translation>
    </message>
    <message>
        <source>API keys are kept in</source>
        <translation>APIキーの保存先</translation>
    </message>
    <message>
        <source>Seconds that a program waits for another one that writes</source>
        <translation>書き込み中の別のプログラムを待つ秒数</translation>
    </message>
    <message>
        <source>The window, the command line, the memory server and MCP; then they say which program holds the library. 0 does not wait.</source>
        <translation>ウィンドウ、コマンドライン、メモリサーバー、MCPに適用されます。時間を過ぎると、どのプログラムがライブラリを使用しているかを表示します。0なら待ちません。</translation>
    </message>
    <message>
        <source>Hours between automatic backups</source>
        <translation>自動バックアップの間隔（時間）</translation>
    </message>
    <message>
        <source>Kept: all of two days, then one a day, then one a month. 0 is never.</source>
        <translation>直近2日分はすべて、その後は1日1つ、さらに前は月1つを残します。0ではバックアップしません。</translation>
    </message>
    <message>
        <source>Undo steps kept, for each chat and for the library</source>
        <translation>元に戻せる操作の数（チャットとライブラリごと）</translation>
    </message>
    <message>
        <source>Ask for newer versions</source>
        <translation>新しいバージョンを確認</translation>
    </message>
    <message>
        <source>Address of a Chroma server (http:// or https://); empty: on this computer.</source>
        <translation>Chromaサーバーのアドレス（http:// または https://）。空欄ならこのコンピューターの中で動かします。</translation>
    </message>
    <message>
        <source>Once a day, some time after the program has started. Nothing of yours is sent, and nothing is installed by itself.</source>
        <translation>1日1回、起動してしばらくしてから確認します。利用者の情報は何も送信されず、自動でインストールされることもありません。</translation>
    </message>
    <message>
        <source>Address asked for newer versions</source>
        <translation>新しいバージョンの確認先アドレス</translation>
    </message>
    <message>
        <source>Empty: the address this copy was built with; “About” shows it.</source>
        <translation>空欄では、このEngramにあらかじめ設定されたアドレスを使います。アドレスは「Engramについて」で確認できます。</translation>
    </message>
    <message>
        <source>Messages scanned</source>
        <translation>検索するメッセージ数</translation>
    </message>
    <message>
        <source>How many of the last messages are searched for keywords.</source>
        <translation>直近のこの件数のメッセージからキーワードを探します。</translation>
    </message>
    <message>
        <source>Context of the chat model, in tokens</source>
        <translation>チャットモデルのコンテキスト長（トークン）</translation>
    </message>
    <message>
        <source>Share of the context, in percent</source>
        <translation>コンテキストに占める割合（%）</translation>
    </message>
    <message>
        <source>Tokens at most</source>
        <translation>トークン数の上限</translation>
    </message>
    <message>
        <source>0 leaves it to the share of the context.</source>
        <translation>0では、コンテキストに占める割合だけで決まります。</translation>
    </message>
    <message>
        <source>Entries can mention other entries</source>
        <translation>項目からほかの項目を呼び出す（再帰）</translation>
    </message>
    <message>
        <source>Rounds of scanning at most</source>
        <translation>検索回数の上限</translation>
    </message>
    <message>
        <source>0 goes on until nothing new is mentioned.</source>
        <translation>0では、新しい項目が見つからなくなるまで続けます。</translation>
    </message>
    <message>
        <source>Entries wanted at least</source>
        <translation>発動させる項目の最低数</translation>
    </message>
    <message>
        <source>Older messages are scanned until this many entries fire. 0: none are.</source>
        <translation>この数の項目が発動するまで、さらに古いメッセージを検索します。0では行いません。</translation>
    </message>
    <message>
        <source>Most messages scanned for them</source>
        <translation>さかのぼるメッセージ数の上限</translation>
    </message>
    <message>
        <source>How far back entries wanted at least are looked for. 0 is the whole chat.</source>
        <translation>項目の最低数を満たすためにさかのぼる範囲です。0ではチャット全体です。</translation>
    </message>
    <message>
        <source>Names of speakers are scanned</source>
        <translation>話者の名前も検索対象にする</translation>
    </message>
    <message>
        <source>Which books go first</source>
        <translation>ワールドブックの優先順位</translation>
    </message>
    <message>
        <source>The chat&apos;s and the player&apos;s books always do. After them, character: theirs; global: the others; evenly: both by the order of their entries.</source>
        <translation>チャットとプレイヤーのワールドブックは常に最優先です。その次は、character：キャラクターを優先、global：全体を優先、evenly：両方を項目の順序どおりに並べます。</translation>
    </message>
    <message>
        <source>Case-sensitive</source>
        <translation>大文字と小文字を区別</translation>
    </message>
    <message>
        <source>Whole words only</source>
        <translation>単語単位で一致</translation>
    </message>
    <message>
        <source>Chinese keywords are found in any place all the same.</source>
        <translation>中国語のキーワードは、この設定にかかわらず任意の位置で一致します。</translation>
    </message>
    <message>
        <source>In a group, the entry with most keywords wins</source>
        <translation>グループ内では、一致したキーワードが最も多い項目を優先</translation>
    </message>
    <message>
        <source>Author&apos;s notes are scanned</source>
        <translation>作者ノートも検索対象にする</translation>
    </message>
    <message>
        <source>The chat&apos;s, and the one a character has.</source>
        <translation>チャットの作者ノートと、キャラクター自身の作者ノートです。</translation>
    </message>
    <message>
        <source>Summaries of SillyTavern are scanned</source>
        <translation>SillyTavernの要約も検索対象にする</translation>
    </message>
    <message>
        <source>Entries fire by meaning</source>
        <translation>意味で項目を発動</translation>
    </message>
    <message>
        <source>Those that are marked for it. SillyTavern does so where Vector Storage is on for world info.</source>
        <translation>意味による発動の印が付いた項目が対象です。SillyTavernでは、ワールド情報のVector Storageがオンのときに行われます。</translation>
    </message>
    <message>
        <source>All entries fire by meaning, marked or not</source>
        <translation>印の有無にかかわらず、すべての項目を意味で発動</translation>
    </message>
    <message>
        <source>Entries that fire by meaning at most</source>
        <translation>意味で発動する項目数の上限</translation>
    </message>
    <message>
        <source>Messages that meaning is taken from</source>
        <translation>意味の判定に使うメッセージ数</translation>
    </message>
</context>
<context>
    <name>steps</name>
    <message>
        <source>Archive {count} events</source>
        <translation>イベント{count}件をアーカイブ</translation>
    </message>
    <message>
        <source>Make {count} events always visible</source>
        <translation>イベント{count}件を常時に設定</translation>
    </message>
    <message>
        <source>Lock {count} events</source>
        <translation>イベント{count}件をロック</translation>
    </message>
    <message>
        <source>Unlock {count} events</source>
        <translation>イベント{count}件をロック解除</translation>
    </message>
    <message>
        <source>Delete {count} events</source>
        <translation>イベント{count}件を削除</translation>
    </message>
    <message>
        <source>Bring back {count} events</source>
        <translation>イベント{count}件を復元</translation>
    </message>
    <message>
        <source>Edit “{summary}”</source>
        <translation>「{summary}」を編集</translation>
    </message>
    <message>
        <source>Edit {count} events</source>
        <translation>イベント{count}件を編集</translation>
    </message>
    <message>
        <source>Replace “{find}” in {count} events</source>
        <translation>イベント{count}件の「{find}」を置換</translation>
    </message>
    <message>
        <source>Join {count} events into one</source>
        <translation>イベント{count}件を1件に結合</translation>
    </message>
    <message>
        <source>Split “{summary}” at floor {floor}</source>
        <translation>「{summary}」をフロア{floor}で分割</translation>
    </message>
    <message>
        <source>Keep {count} similar events apart</source>
        <translation>似たイベント{count}件を別々のものとして保持</translation>
    </message>
    <message>
        <source>Add “{summary}”</source>
        <translation>「{summary}」を追加</translation>
    </message>
    <message>
        <source>Confirm {count} events</source>
        <translation>イベント{count}件を確認済みに設定</translation>
    </message>
    <message>
        <source>No longer confirm {count} events</source>
        <translation>イベント{count}件の確認済みを取り消し</translation>
    </message>
    <message>
        <source>Summarise floors {first}–{last}</source>
        <translation>フロア{first}–{last}を要約</translation>
    </message>
    <message>
        <source>Consolidate {count} events</source>
        <translation>イベント{count}件を整理</translation>
    </message>
    <message>
        <source>Trim {count} events into outlines</source>
        <translation>イベント{count}件をあらすじにスリム化</translation>
    </message>
    <message>
        <source>Take outlines apart that are no longer true</source>
        <translation>事実と合わなくなったあらすじを分解</translation>
    </message>
    <message>
        <source>Take an outline of {count} events apart</source>
        <translation>イベント{count}件のあらすじを分解</translation>
    </message>
    <message>
        <source>Edit {name}</source>
        <translation>{name}を編集</translation>
    </message>
    <message>
        <source>Merge {names} into {target}</source>
        <translation>{names}を{target}に統合</translation>
    </message>
    <message>
        <source>Keep {one} and {other} apart</source>
        <translation>{one}と{other}を別のものとして登録</translation>
    </message>
    <message>
        <source>Look for duplicates among {count} entities</source>
        <translation>エンティティ{count}件の重複を検索</translation>
    </message>
    <message>
        <source>Hide {name} from the graph</source>
        <translation>{name}をグラフで非表示</translation>
    </message>
    <message>
        <source>Show {name} in the graph again</source>
        <translation>{name}をグラフに再表示</translation>
    </message>
    <message>
        <source>Update the profiles of {count} entities</source>
        <translation>エンティティ{count}件のプロフィールを更新</translation>
    </message>
    <message>
        <source>Look back on floors {first}–{last}</source>
        <translation>フロア{first}–{last}を振り返り</translation>
    </message>
    <message>
        <source>Add the relation “{fact}”</source>
        <translation>関係「{fact}」を追加</translation>
    </message>
    <message>
        <source>Reword the relation “{fact}”</source>
        <translation>関係「{fact}」を言い換え</translation>
    </message>
    <message>
        <source>Say when “{fact}” was true</source>
        <translation>「{fact}」の有効期間を設定</translation>
    </message>
    <message>
        <source>Delete the relation “{fact}”</source>
        <translation>関係「{fact}」を削除</translation>
    </message>
    <message>
        <source>Move {name} in the graph</source>
        <translation>グラフで{name}を移動</translation>
    </message>
    <message>
        <source>Lay out {count} entities again</source>
        <translation>エンティティ{count}件を配置し直し</translation>
    </message>
    <message>
        <source>Split {name} from {target}</source>
        <translation>{name}を{target}から切り離し</translation>
    </message>
    <message>
        <source>Add a private log of {name}</source>
        <translation>{name}の個人の記録を追加</translation>
    </message>
    <message>
        <source>Edit a private log of {name}</source>
        <translation>{name}の個人の記録を編集</translation>
    </message>
    <message>
        <source>Delete {count} private logs</source>
        <translation>個人の記録{count}件を削除</translation>
    </message>
    <message>
        <source>Answer a finding: {answer}</source>
        <translation>指摘に回答：{answer}</translation>
    </message>
    <message>
        <source>Note the thread “{text}”</source>
        <translation>伏線「{text}」を記録</translation>
    </message>
    <message>
        <source>Forget {count} noted threads</source>
        <translation>伏線{count}件を取り消し</translation>
    </message>
    <message>
        <source>Add {name} to the graph</source>
        <translation>{name}をグラフに追加</translation>
    </message>
    <message>
        <source>Put away in the inbox: {text}</source>
        <translation>未処理から片づける：{text}</translation>
    </message>
    <message>
        <source>Put off in the inbox: {text}</source>
        <translation>未処理であとにする：{text}</translation>
    </message>
    <message>
        <source>Set the state {path}</source>
        <translation>状態{path}を設定</translation>
    </message>
    <message>
        <source>Remove the state {path}</source>
        <translation>状態{path}を削除</translation>
    </message>
    <message>
        <source>Say floor {floor}</source>
        <translation>フロア{floor}で発言</translation>
    </message>
    <message>
        <source>Reply of {name} on floor {floor}</source>
        <translation>フロア{floor}で{name}が返答</translation>
    </message>
    <message>
        <source>Another reply of {name} on floor {floor}</source>
        <translation>フロア{floor}で{name}の別の返答を生成</translation>
    </message>
    <message>
        <source>Go on with floor {floor}</source>
        <translation>フロア{floor}の続きを生成</translation>
    </message>
    <message>
        <source>Choose reading {number} of floor {floor}</source>
        <translation>フロア{floor}の返答{number}を選択</translation>
    </message>
    <message>
        <source>Correct what floor {floor} left</source>
        <translation>フロア{floor}の結果を訂正</translation>
    </message>
    <message>
        <source>Save a question of the lab: {query}</source>
        <translation>ラボの質問を保存：{query}</translation>
    </message>
    <message>
        <source>Delete a question of the lab: {query}</source>
        <translation>ラボの質問を削除：{query}</translation>
    </message>
    <message>
        <source>Say what {name} knows of {count} memories</source>
        <translation>記憶{count}件について{name}が知っていることを訂正</translation>
    </message>
    <message>
        <source>Say who was there on {count} floors</source>
        <translation>フロア{count}件のその場にいた人を訂正</translation>
    </message>
    <message>
        <source>Say when {name} is of {group}</source>
        <translation>{name}が{group}に属する時期を指定</translation>
    </message>
    <message>
        <source>Say who was there or knows it: {count} cells</source>
        <translation>居合わせた人・知っている人を指定：{count}マス</translation>
    </message>
    <message>
        <source>Say who must not learn {count} memories</source>
        <translation>記憶{count}件を知られてはいけない人を指定</translation>
    </message>
    <message>
        <source>Write a private note on “{what}”</source>
        <translation>「{what}」に非公開メモを書く</translation>
    </message>
    <message>
        <source>Delete the private note on “{what}”</source>
        <translation>「{what}」の非公開メモを削除</translation>
    </message>
    <message>
        <source>Do not use again: {what}</source>
        <translation>今後使わない：{what}</translation>
    </message>
    <message>
        <source>Allow again: {what}</source>
        <translation>再び使う：{what}</translation>
    </message>
    <message>
        <source>Import {count} messages</source>
        <translation>メッセージ{count}件をインポート</translation>
    </message>
    <message>
        <source>Take over {count} memories of other tools</source>
        <translation>ほかのツールの記憶{count}件を引き継ぎ</translation>
    </message>
    <message>
        <source>Follow the file: {changed} changed, {removed} removed, {added} added</source>
        <translation>ファイルへの追従：変更{changed}件、削除{removed}件、追加{added}件</translation>
    </message>
    <message>
        <source>Keep what a front end shows from floor {floor} on</source>
        <translation>フロア{floor}以降をフロントエンドの表示どおりに保存</translation>
    </message>
    <message>
        <source>Keep the reply of {name} on floor {floor}</source>
        <translation>フロア{floor}の{name}の返答を保存</translation>
    </message>
    <message>
        <source>Add floor {floor}</source>
        <translation>フロア{floor}を追加</translation>
    </message>
    <message>
        <source>Edit floor {floor}</source>
        <translation>フロア{floor}を編集</translation>
    </message>
    <message>
        <source>Delete {count} messages</source>
        <translation>メッセージ{count}件を削除</translation>
    </message>
    <message>
        <source>Hide {count} messages</source>
        <translation>メッセージ{count}件を非表示</translation>
    </message>
    <message>
        <source>Show {count} messages</source>
        <translation>メッセージ{count}件を再表示</translation>
    </message>
    <message>
        <source>Save {count} reviewed blocks</source>
        <translation>確認したブロック{count}件を保存</translation>
    </message>
    <message>
        <source>Discard {count} drafts</source>
        <translation>下書き{count}件を破棄</translation>
    </message>
    <message>
        <source>Take the new summary of floors {first}–{last}</source>
        <translation>フロア{first}–{last}の新しい要約を採用</translation>
    </message>
    <message>
        <source>Begin automatic summaries at floor {floor}</source>
        <translation>フロア{floor}から自動要約を開始</translation>
    </message>
    <message>
        <source>Note that entities are up to date to floor {floor}</source>
        <translation>エンティティをフロア{floor}まで更新済みとして記録</translation>
    </message>
    <message>
        <source>Summarise {count} stale ranges again</source>
        <translation>要更新の範囲{count}件を再要約</translation>
    </message>
    <message>
        <source>Fork “{name}” at floor {floor}</source>
        <translation>フロア{floor}から「{name}」を分岐</translation>
    </message>
    <message>
        <source>Rename the branch “{name}”</source>
        <translation>分岐「{name}」の名前を変更</translation>
    </message>
    <message>
        <source>Delete the branch “{name}”</source>
        <translation>分岐「{name}」を削除</translation>
    </message>
    <message>
        <source>Take {count} entries of “{file}” into the memory</source>
        <translation>「{file}」の項目{count}件を記憶に取り込み</translation>
    </message>
    <message>
        <source>Import the world book “{name}”</source>
        <translation>ワールドブック「{name}」をインポート</translation>
    </message>
    <message>
        <source>Rename the chat “{name}” to “{new}”</source>
        <translation>チャット「{name}」の名前を「{new}」に変更</translation>
    </message>
    <message>
        <source>Put a file in the place of the world book “{name}”</source>
        <translation>ワールドブック「{name}」をファイルで置き換え</translation>
    </message>
    <message>
        <source>Add {count} entries of a file to “{name}”</source>
        <translation>ファイルの項目{count}件を「{name}」に追加</translation>
    </message>
    <message>
        <source>Rename the world book “{name}” to “{new}”</source>
        <translation>ワールドブック「{name}」の名前を「{new}」に変更</translation>
    </message>
    <message>
        <source>Delete the world book “{name}”</source>
        <translation>ワールドブック「{name}」を削除</translation>
    </message>
    <message>
        <source>Add an entry to “{name}”</source>
        <translation>「{name}」に項目を追加</translation>
    </message>
    <message>
        <source>Edit the entry “{entry}” of “{name}”</source>
        <translation>「{name}」の項目「{entry}」を編集</translation>
    </message>
    <message>
        <source>Edit {count} entries of “{name}”</source>
        <translation>「{name}」の項目{count}件を編集</translation>
    </message>
    <message>
        <source>Delete the entry “{entry}” of “{name}”</source>
        <translation>「{name}」の項目「{entry}」を削除</translation>
    </message>
    <message>
        <source>Delete {count} entries of “{name}”</source>
        <translation>「{name}」の項目{count}件を削除</translation>
    </message>
    <message>
        <source>Move {count} entries of “{name}” to “{new}”</source>
        <translation>「{name}」の項目{count}件を「{new}」へ移動</translation>
    </message>
    <message>
        <source>Give {count} entries of “{name}” the order of the list</source>
        <translation>「{name}」の項目{count}件の順序に一覧の並びを反映</translation>
    </message>
    <message>
        <source>Move {count} entries of “{name}”</source>
        <translation>「{name}」の項目{count}件を移動</translation>
    </message>
    <message>
        <source>Put {count} entries of “{name}” under “{heading}”</source>
        <translation>「{name}」の項目{count}件を見出し「{heading}」の下に移動</translation>
    </message>
    <message>
        <source>Take {count} entries of “{name}” from under their heading</source>
        <translation>「{name}」の項目{count}件を見出しから外す</translation>
    </message>
    <message>
        <source>Switch “{heading}” of “{name}” on</source>
        <translation>「{name}」の「{heading}」を有効化</translation>
    </message>
    <message>
        <source>Switch “{heading}” of “{name}” off</source>
        <translation>「{name}」の「{heading}」を無効化</translation>
    </message>
    <message>
        <source>Switch “{name}” on in every chat</source>
        <translation>「{name}」をすべてのチャットで有効化</translation>
    </message>
    <message>
        <source>No longer switch “{name}” on in every chat</source>
        <translation>「{name}」のすべてのチャットでの有効化を解除</translation>
    </message>
    <message>
        <source>Switch “{name}” on in the chat “{chat}”</source>
        <translation>「{name}」をチャット「{chat}」で有効化</translation>
    </message>
    <message>
        <source>No longer switch “{name}” on in the chat “{chat}”</source>
        <translation>「{name}」のチャット「{chat}」での有効化を解除</translation>
    </message>
    <message>
        <source>Switch “{name}” on in the chats of {character}</source>
        <translation>「{name}」を{character}のチャットで有効化</translation>
    </message>
    <message>
        <source>Import the character “{name}”</source>
        <translation>キャラクター「{name}」をインポート</translation>
    </message>
    <message>
        <source>Delete the character “{name}”</source>
        <translation>キャラクター「{name}」を削除</translation>
    </message>
    <message>
        <source>Import {count} regex scripts</source>
        <translation>正規表現スクリプト{count}件をインポート</translation>
    </message>
    <message>
        <source>Switch the regex script “{name}” on</source>
        <translation>正規表現スクリプト「{name}」を有効化</translation>
    </message>
    <message>
        <source>Switch the regex script “{name}” off</source>
        <translation>正規表現スクリプト「{name}」を無効化</translation>
    </message>
    <message>
        <source>Move the regex script “{name}”</source>
        <translation>正規表現スクリプト「{name}」を移動</translation>
    </message>
    <message>
        <source>Delete the regex script “{name}”</source>
        <translation>正規表現スクリプト「{name}」を削除</translation>
    </message>
    <message>
        <source>Edit the prompt “{task}”</source>
        <translation>プロンプト「{task}」を編集</translation>
    </message>
    <message>
        <source>Use the built-in prompt “{task}” again</source>
        <translation>プロンプト「{task}」を内蔵の内容に戻す</translation>
    </message>
    <message>
        <source>Choose the model for “{task}”</source>
        <translation>「{task}」のモデルを選択</translation>
    </message>
    <message>
        <source>Make the volume “{name}”</source>
        <translation>巻「{name}」を作成</translation>
    </message>
    <message>
        <source>Update the volume “{name}”</source>
        <translation>巻「{name}」を更新</translation>
    </message>
    <message>
        <source>Import the volume “{name}”</source>
        <translation>巻「{name}」を取り込み</translation>
    </message>
    <message>
        <source>Delete the volume “{name}”</source>
        <translation>巻「{name}」を削除</translation>
    </message>
    <message>
        <source>Let “{chat}” read the volume “{name}”</source>
        <translation>「{chat}」で巻「{name}」を読む</translation>
    </message>
    <message>
        <source>No longer let “{chat}” read the volume “{name}”</source>
        <translation>「{chat}」で巻「{name}」を読むのをやめる</translation>
    </message>
    <message>
        <source>Take things in from the folder {folder}</source>
        <translation>フォルダ{folder}から取り込み</translation>
    </message>
</context>
<context>
    <name>suggestions</name>
    <message>
        <source>“{a}” and “{b}” are the same name in another spelling</source>
        <translation>「{a}」と「{b}」は同じ名前の表記違い</translation>
    </message>
    <message>
        <source>“{a}” is “{b}” with a title</source>
        <translation>「{a}」は「{b}」に敬称や肩書きを付けたもの</translation>
    </message>
    <message>
        <source>“{b}” may be short for “{a}”</source>
        <translation>「{b}」は「{a}」の略称の可能性あり</translation>
    </message>
    <message>
        <source>“{b}” is part of “{a}”</source>
        <translation>「{b}」は「{a}」の一部</translation>
    </message>
    <message>
        <source>“{b}” may be a pet name for “{a}”</source>
        <translation>「{b}」は「{a}」の愛称の可能性あり</translation>
    </message>
    <message>
        <source>“{b}” may abbreviate “{a}”</source>
        <translation>「{b}」は「{a}」の略語の可能性あり</translation>
    </message>
    <message>
        <source>“{a}” and “{b}” are spelt alike</source>
        <translation>「{a}」と「{b}」は表記が似ている</translation>
    </message>
    <message>
        <source>the player speaks as “{name}” too</source>
        <translation>プレイヤーは「{name}」としても発言</translation>
    </message>
    <message>
        <source>never in the same event, though with the same company</source>
        <translation>顔ぶれは同じだが、同じイベントには一度も登場しない</translation>
    </message>
    <message>
        <source>but they appear together in {count} events</source>
        <translation>ただし{count}件のイベントに一緒に登場</translation>
    </message>
    <message>
        <source>but a relation links the two</source>
        <translation>ただし2つの間に関係がある</translation>
    </message>
    <message>
        <source>described alike: {facts}</source>
        <translation>説明が一致：{facts}</translation>
    </message>
    <message>
        <source>but described differently: {facts}</source>
        <translation>ただし説明が相違：{facts}</translation>
    </message>
</context>
</TS>
