<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AboutDialog</name>
    <message>
        <source>Long-term memory for role-play chats.</source>
        <translation>为角色扮演聊天准备的长期记忆。</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>资料库</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Open the library&apos;s folder</source>
        <translation>打开资料库文件夹</translation>
    </message>
    <message>
        <source>Change keys…</source>
        <translation>更改快捷键…</translation>
    </message>
    <message>
        <source>Third-party notices</source>
        <translation>第三方声明</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>更新内容</translation>
    </message>
    <message>
        <source>Look for a newer version</source>
        <translation>查找新版本</translation>
    </message>
    <message>
        <source>Asks {address}</source>
        <translation>将询问 {address}</translation>
    </message>
    <message>
        <source>Read about it</source>
        <translation>了解详情</translation>
    </message>
    <message>
        <source>Asking {address}…</source>
        <translation>正在询问 {address}…</translation>
    </message>
    <message>
        <source>Version {version} is out.</source>
        <translation>新版本 {version} 已发布。</translation>
    </message>
    <message>
        <source>This is the newest version.</source>
        <translation>已是最新版本。</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>切换页面</translation>
    </message>
    <message>
        <source>The text of the chat</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Toggle the lamp</source>
        <translation>切换蓝绿灯</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
</context>
<context>
    <name>AddDialog</name>
    <message>
        <source>Write a memory</source>
        <translation>写一条记忆</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>关键词</translation>
    </message>
    <message>
        <source>Entities</source>
        <translation>实体</translation>
    </message>
    <message>
        <source>Floors it covers</source>
        <translation>讲的是哪些楼层</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>{name}: “{words}”</source>
        <translation>{name}：“{words}”</translation>
    </message>
    <message>
        <source>Event: it happened</source>
        <translation>事件：发生过</translation>
    </message>
    <message>
        <source>Fact: it holds</source>
        <translation>设定：一直成立</translation>
    </message>
    <message>
        <source>A fact is locked in context until you let it go: a rule, an origin, a trait.</source>
        <translation>设定会锁定并常驻上下文，直到你放开它：一条规矩、一段身世、一种体质。</translation>
    </message>
    <message>
        <source>An event joins the buffer and is archived with the others.</source>
        <translation>事件进入缓冲，和其他事件一起归档。</translation>
    </message>
    <message>
        <source>For example: silver burns Lin Wan’s skin.</source>
        <translation>例如：银器会灼伤林晚的皮肤。</translation>
    </message>
    <message>
        <source>For example: Lin Wan gave the copper key to the traveller.</source>
        <translation>例如：林晚把铜钥匙交给了旅人。</translation>
    </message>
</context>
<context>
    <name>AddRelationDialog</name>
    <message>
        <source>Add a relation of “{name}”</source>
        <translation>为“{name}”添加关系</translation>
    </message>
    <message>
        <source>{name} → the other</source>
        <translation>{name} → 另一个</translation>
    </message>
    <message>
        <source>The other → {name}</source>
        <translation>另一个 → {name}</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>For example: trusts, lives in, friend</source>
        <translation>例如：信任、住在、朋友</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>The other entity</source>
        <translation>另一个实体</translation>
    </message>
    <message>
        <source>It holds from the newest floor on, until the story says otherwise.</source>
        <translation>从最新一楼起成立，直到剧情另有说法。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
</context>
<context>
    <name>AdoptDialog</name>
    <message>
        <source>Take over memories of other tools</source>
        <translation>接收其他工具的记忆</translation>
    </message>
    <message>
        <source>What other memory tools left in “{name}” and in files of theirs. Memories become events marked as imported that say where they come from; nothing is taken over twice, and one undo takes it all back.</source>
        <translation>其他记忆工具留在“{name}”里以及它们的文件里的内容。这些记忆会成为标为“导入”的事件，并注明来源；不会重复接收，撤销一步即可全部收回。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Floors</source>
        <translation>楼层</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Memories by tool</source>
        <translation>按工具列出的记忆</translation>
    </message>
    <message>
        <source>The memory in full</source>
        <translation>记忆全文</translation>
    </message>
    <message>
        <source>Choose a memory to read it in full.</source>
        <translation>选择一条记忆以阅读全文。</translation>
    </message>
    <message>
        <source>From files…</source>
        <translation>从文件…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Take over</source>
        <translation>接收</translation>
    </message>
    <message>
        <source>Files with memories of other tools</source>
        <translation>含其他工具记忆的文件</translation>
    </message>
    <message>
        <source>JSON files (*.json)</source>
        <translation>JSON 文件 (*.json)</translation>
    </message>
    <message>
        <source>Nothing of a known tool was found in this chat. Sync files of the Engram extension, chats exported from Risu and world books of MemoryBooks can be chosen.</source>
        <translation>这个聊天里没有找到已知工具的记忆。可以选择 Engram 扩展的同步文件、Risu 导出的聊天，或 MemoryBooks 的世界书。</translation>
    </message>
    <message numerus="yes">
        <source>%n new</source>
        <translation>
            <numerusform>%n 条新的</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n known already</source>
        <translation>
            <numerusform>%n 条已有</numerusform>
        </translation>
    </message>
    <message>
        <source>known already</source>
        <translation>已有</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 条</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take over %n memory(s)</source>
        <translation>
            <numerusform>接收 %n 条记忆</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Adoption</name>
    <message>
        <source>Taking over memories</source>
        <translation>正在接收记忆</translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s) taken over</source>
        <translation>
            <numerusform>已接收 %n 条记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outdated one(s) replaced</source>
        <translation>
            <numerusform>替换了 %n 条过时的</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n known already</source>
        <translation>
            <numerusform>%n 条已有</numerusform>
        </translation>
    </message>
    <message>
        <source>One undo takes it back.</source>
        <translation>撤销一步即可收回。</translation>
    </message>
</context>
<context>
    <name>Arranging</name>
    <message numerus="yes">
        <source>Sorting %n entry(ies)</source>
        <translation>
            <numerusform>正在给 %n 个条目排序</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moving %n entry(ies)</source>
        <translation>
            <numerusform>正在移动 %n 个条目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Changing %n entry(ies)</source>
        <translation>
            <numerusform>正在修改 %n 个条目</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Automation</name>
    <message>
        <source>Automatic memory</source>
        <translation>自动记忆</translation>
    </message>
    <message>
        <source>Automatic: working…</source>
        <translation>自动：处理中…</translation>
    </message>
    <message>
        <source>Automatic: stopped by an error</source>
        <translation>自动：因出错停下</translation>
    </message>
    <message>
        <source>Memory off</source>
        <translation>记忆已关闭</translation>
    </message>
    <message>
        <source>Automatic: paused</source>
        <translation>自动：已暂停</translation>
    </message>
    <message>
        <source>Automatic: stopped, today&apos;s tokens are spent</source>
        <translation>自动：今日 token 已用完</translation>
    </message>
    <message>
        <source>Automatic: waiting for your review</source>
        <translation>自动：等你审阅</translation>
    </message>
    <message>
        <source>Automatic: waiting for your consent</source>
        <translation>自动：等你同意</translation>
    </message>
    <message numerus="yes">
        <source>Automatic: %n block(s) due</source>
        <translation>
            <numerusform>自动：%n 个区块待摘要</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Automatic: on · next summary in %n floor(s)</source>
        <translation>
            <numerusform>自动：开 · 下次摘要还差 %n 楼</numerusform>
        </translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>“{chat}”: profiles of entities are far behind the story.</source>
        <translation>“{chat}”：实体档案落后剧情很多。</translation>
    </message>
    <message>
        <source>Go ahead</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Automatic memory stopped.</source>
        <translation>自动记忆已停下。</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>审阅…</translation>
    </message>
    <message>
        <source>Decide…</source>
        <translation>决定…</translation>
    </message>
    <message>
        <source>Automatic: the session is to be looked back on</source>
        <translation>自动：这次会话待回顾</translation>
    </message>
    <message>
        <source>Automatic: memory is to be tidied</source>
        <translation>自动：有记忆待整理</translation>
    </message>
    <message>
        <source>Do it now</source>
        <translation>立即处理</translation>
    </message>
    <message>
        <source>Saving a setting</source>
        <translation>保存设置</translation>
    </message>
    <message numerus="yes">
        <source>“{chat}”: %n floor(s) have not been summarised.</source>
        <translation>
            <numerusform>“{chat}”：有 %n 楼尚未摘要。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“{chat}”: %n floor(s) have not been looked back on.</source>
        <translation>
            <numerusform>“{chat}”：有 %n 楼还没有回顾。</numerusform>
        </translation>
    </message>
    <message>
        <source>Only new ones</source>
        <translation>只管新楼层</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) could not be read.</source>
        <translation>
            <numerusform>有 %n 个区块的回答无法读取。</numerusform>
        </translation>
    </message>
    <message>
        <source>The answers were kept; they are not asked again unless you do.</source>
        <translation>回答已保留；除非你要求，不会再次请求。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Automatic memory went on with less.</source>
        <translation>自动记忆已降级继续。</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) are ready for your review.</source>
        <translation>
            <numerusform>有 %n 个区块等你审阅。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) made</source>
        <translation>
            <numerusform>新增 %n 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) archived</source>
        <translation>
            <numerusform>归档 %n 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outline(s) made</source>
        <translation>
            <numerusform>生成 %n 条大纲</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n private log(s) written</source>
        <translation>
            <numerusform>写下 %n 条私有日志</numerusform>
        </translation>
    </message>
    <message>
        <source>“{chat}”, automatically: {done}.</source>
        <translation>“{chat}”：已自动{done}。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>The newest events stay always visible; automation can be paused below.</source>
        <translation>最新的事件保持常驻；可在窗口底部暂停自动记忆。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undoing</source>
        <translation>正在撤销</translation>
    </message>
    <message>
        <source>Taken back. The floors count as not summarised again.</source>
        <translation>已撤销。这些楼层重新算作未摘要。</translation>
    </message>
    <message>
        <source>{model}: {calls} calls, about {prompt} + {completion} tokens</source>
        <translation>{model}：{calls} 次请求，约 {prompt} + {completion} token</translation>
    </message>
</context>
<context>
    <name>Away</name>
    <message>
        <source>{task}: done</source>
        <translation>{task}：完成</translation>
    </message>
    <message>
        <source>{task}: it failed</source>
        <translation>{task}：失败</translation>
    </message>
</context>
<context>
    <name>BinDialog</name>
    <message>
        <source>Deleted events</source>
        <translation>已删除的事件</translation>
    </message>
    <message>
        <source>They stay here after they can no longer be undone. Outlines are left out.</source>
        <translation>无法再撤销之后，它们仍留在这里。大纲不在其中。</translation>
    </message>
    <message>
        <source>Search deleted events</source>
        <translation>搜索已删除的事件</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>恢复</translation>
    </message>
    <message numerus="yes">
        <source>%n deleted event(s)</source>
        <translation>
            <numerusform>%n 条已删除的事件</numerusform>
        </translation>
    </message>
    <message>
        <source>No event was deleted.</source>
        <translation>没有删除过事件。</translation>
    </message>
</context>
<context>
    <name>BodiesDialog</name>
    <message>
        <source>The exact request</source>
        <translation>原始请求</translation>
    </message>
    <message>
        <source>It is held in memory for the newest requests only, and stored nowhere.</source>
        <translation>只在内存里保留最近的请求，不写到任何地方。</translation>
    </message>
    <message>
        <source>As it came</source>
        <translation>收到时</translation>
    </message>
    <message>
        <source>As it was sent on</source>
        <translation>转发时</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>only its beginning is shown</source>
        <translation>只显示开头部分</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>BookOpening</name>
    <message>
        <source>Rename the world book</source>
        <translation>重命名世界书</translation>
    </message>
    <message>
        <source>Put under a new heading</source>
        <translation>放到新标题下</translation>
    </message>
    <message>
        <source>Put there</source>
        <translation>放到这里</translation>
    </message>
    <message>
        <source>Rename the heading</source>
        <translation>重命名标题</translation>
    </message>
</context>
<context>
    <name>Branches</name>
    <message>
        <source>Main line</source>
        <translation>主线</translation>
    </message>
    <message>
        <source>Forking a branch</source>
        <translation>正在开出分支</translation>
    </message>
    <message>
        <source>Renaming a branch</source>
        <translation>正在重命名分支</translation>
    </message>
    <message>
        <source>Deleting a branch</source>
        <translation>正在删除分支</translation>
    </message>
    <message>
        <source>Rolling back</source>
        <translation>正在回退</translation>
    </message>
</context>
<context>
    <name>BranchesDialog</name>
    <message>
        <source>Branches</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>A branch shares its parent’s floors and memories up to the fork, and has its own after it. Choose two to compare what they remember.</source>
        <translation>分支在岔口之前与主干共用楼层和记忆，之后各有各的。选中两条可比较它们记得什么。</translation>
    </message>
    <message>
        <source>What the branches remember apart</source>
        <translation>两条分支各自记得的</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Forked at</source>
        <translation>岔口楼层</translation>
    </message>
    <message>
        <source>Floors</source>
        <translation>楼层</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>楼层</translation>
    </message>
    <message>
        <source>Name of the branch</source>
        <translation>分支名称</translation>
    </message>
    <message>
        <source>Fork after this floor</source>
        <translation>在此楼层后分支</translation>
    </message>
    <message>
        <source>Roll back to this floor</source>
        <translation>回退到此楼层</translation>
    </message>
    <message>
        <source>Deletes every later floor of this branch; one undo brings them back.</source>
        <translation>删除这条分支此后的所有楼层；撤销一次即可恢复。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Use this name</source>
        <translation>改用此名称</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Both remember {n} events.</source>
        <translation>双方都记得 {n} 条事件。</translation>
    </message>
    <message>
        <source>Both remember the same {n} events.</source>
        <translation>双方记得的 {n} 条事件完全相同。</translation>
    </message>
    <message>
        <source>Only on “{name}”: {n}</source>
        <translation>只在“{name}”：{n} 条</translation>
    </message>
</context>
<context>
    <name>BudgetMeter</name>
    <message>
        <source>Budget for the next reply: {used} of {size} tokens, {own} of this book</source>
        <translation>下一条回复的预算：已用 {used} / {size} tokens，其中本书 {own}</translation>
    </message>
    <message>
        <source>Budget: constant entries take {used} of {size} tokens</source>
        <translation>预算：常驻条目占 {used} / {size} tokens</translation>
    </message>
    <message>
        <source>The constant entries alone need {constant} of {size} tokens: there is no room for triggered ones.</source>
        <translation>光是常驻条目就要 {constant} tokens，预算只有 {size}：触发的条目没有位置了。</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) fall out of the budget: {titles}</source>
        <translation>
            <numerusform>%n 个条目超出预算，装不下：{titles}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CardColumn</name>
    <message numerus="yes">
        <source>Show %n more</source>
        <translation>
            <numerusform>再显示 %n 项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CastCard</name>
    <message>
        <source>Cast</source>
        <translation>登场人物</translation>
    </message>
    <message>
        <source>Nobody has spoken yet.</source>
        <translation>还没有人说过话。</translation>
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
        <translation>更新记录</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>读取中…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>CharacterList</name>
    <message>
        <source>Exporting a character card</source>
        <translation>导出角色卡</translation>
    </message>
    <message>
        <source>Removing a character</source>
        <translation>移除角色</translation>
    </message>
    <message>
        <source>The character “{name}” was deleted</source>
        <translation>已删除角色“{name}”</translation>
    </message>
    <message>
        <source>Character card written to {file}</source>
        <translation>角色卡已写入 {file}</translation>
    </message>
</context>
<context>
    <name>CharacterTree</name>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>修改时间</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Characters and their chats</source>
        <translation>角色与其聊天</translation>
    </message>
    <message>
        <source>{name} (group)</source>
        <translation>{name}（群聊）</translation>
    </message>
    <message>
        <source>{name} (mute)</source>
        <translation>{name}（禁言）</translation>
    </message>
    <message>
        <source>Character card</source>
        <translation>角色卡</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n 个条目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s)</source>
        <translation>
            <numerusform>%n 个正则脚本</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CharactersDialog</name>
    <message>
        <source>Characters</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>Export as JSON…</source>
        <translation>导出为 JSON…</translation>
    </message>
    <message>
        <source>Export as CHARX…</source>
        <translation>导出为 CHARX…</translation>
    </message>
    <message>
        <source>Export as PNG…</source>
        <translation>导出为 PNG…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Search characters</source>
        <translation>搜索角色</translation>
    </message>
    <message>
        <source>No character yet. Import a card: PNG, JSON or CHARX.</source>
        <translation>还没有角色。请导入角色卡：PNG、JSON 或 CHARX。</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n 个条目</numerusform>
        </translation>
    </message>
    <message>
        <source>World book: {name} · {count}</source>
        <translation>世界书：{name} · {count}</translation>
    </message>
    <message>
        <source>Regex scripts: {names}</source>
        <translation>正则脚本：{names}</translation>
    </message>
    <message>
        <source>No chat in the library.</source>
        <translation>资料库中没有它的聊天。</translation>
    </message>
    <message>
        <source>Chats:</source>
        <translation>聊天：</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>Personality</source>
        <translation>性格</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>情景</translation>
    </message>
    <message>
        <source>First message</source>
        <translation>第一条消息</translation>
    </message>
    <message>
        <source>Other first message {number}</source>
        <translation>备选开场白 {number}</translation>
    </message>
    <message>
        <source>First message in groups {number}</source>
        <translation>群聊开场白 {number}</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例对话</translation>
    </message>
    <message>
        <source>Creator&apos;s notes</source>
        <translation>作者备注</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>After the chat</source>
        <translation>聊天记录之后</translation>
    </message>
    <message>
        <source>Character&apos;s note</source>
        <translation>角色备注</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Character card (*{suffix})</source>
        <translation>角色卡 (*{suffix})</translation>
    </message>
    <message>
        <source>Remove the character</source>
        <translation>移除角色</translation>
    </message>
    <message>
        <source>Take “{name}” out of the library?</source>
        <translation>把“{name}”从资料库移除？</translation>
    </message>
    <message>
        <source>Its chats and their memory stay. Undo brings it back as it is.</source>
        <translation>它的聊天和记忆都会保留。撤销即可原样恢复。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove its world book, too</source>
        <translation>同时移除它的世界书</translation>
    </message>
    <message>
        <source>Remove its regex scripts, too</source>
        <translation>同时移除它的正则脚本</translation>
    </message>
    <message>
        <source>Remove its world book and regex scripts, too</source>
        <translation>同时移除它的世界书和正则脚本</translation>
    </message>
</context>
<context>
    <name>ChatExport</name>
    <message>
        <source>Exporting</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Exporting what %1 knows</source>
        <translation>正在导出%1知道的内容</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) exported</source>
        <translation>
            <numerusform>已导出 %n 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>World book of %n entry(ies) written</source>
        <translation>
            <numerusform>已写出含 %n 个条目的世界书</numerusform>
        </translation>
    </message>
    <message>
        <source>Put the file into SillyTavern&apos;s “worlds” folder, or import it on its World Info page.</source>
        <translation>把文件放进酒馆的 worlds 文件夹，或在酒馆的世界书页面导入。</translation>
    </message>
</context>
<context>
    <name>ChatTree</name>
    <message>
        <source>Renaming the chat</source>
        <translation>重命名聊天</translation>
    </message>
    <message>
        <source>The chat is called “{name}” now</source>
        <translation>聊天已重命名为“{name}”</translation>
    </message>
    <message>
        <source>Cannot be opened</source>
        <translation>无法打开</translation>
    </message>
    <message numerus="yes">
        <source>%n floor(s)</source>
        <translation>
            <numerusform>%n 楼</numerusform>
        </translation>
    </message>
    <message>
        <source>{floors} · no summary</source>
        <translation>{floors} · 未摘要</translation>
    </message>
    <message>
        <source>{floors} · buffer {buffer}</source>
        <translation>{floors} · 缓冲 {buffer}</translation>
    </message>
</context>
<context>
    <name>ChatView</name>
    <message>
        <source>floor {floor}</source>
        <translation>第 {floor} 楼</translation>
    </message>
    <message>
        <source>hidden from the prompt</source>
        <translation>不进提示词</translation>
    </message>
    <message>
        <source>Show more of it</source>
        <translation>展开更多</translation>
    </message>
    <message>
        <source>The reading before this one</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <source>The next reading</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>思考中……</translation>
    </message>
    <message>
        <source>Show thoughts and panels</source>
        <translation>显示思维链与面板</translation>
    </message>
    <message>
        <source>Hide thoughts and panels</source>
        <translation>收起思维链与面板</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
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
        <translation>全部命令</translation>
    </message>
    <message>
        <source>No command matches</source>
        <translation>没有这样的命令</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Search everything</source>
        <translation>搜索一切</translation>
    </message>
    <message>
        <source>All commands</source>
        <translation>全部命令</translation>
    </message>
    <message>
        <source>Go to a chat, branch or entity</source>
        <translation>转到聊天、分支或实体</translation>
    </message>
    <message>
        <source>Search this page</source>
        <translation>在本页搜索</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>History…</source>
        <translation>历史记录…</translation>
    </message>
    <message>
        <source>Save what is being typed</source>
        <translation>保存正在输入的内容</translation>
    </message>
    <message>
        <source>Edit or rename</source>
        <translation>编辑或改名</translation>
    </message>
    <message>
        <source>Who was there: events and persons</source>
        <translation>谁在场：事件与人物</translation>
    </message>
    <message>
        <source>Days of the story</source>
        <translation>故事日历</translation>
    </message>
    <message>
        <source>Show or hide the panel beside the page</source>
        <translation>显示或隐藏侧栏</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Keys…</source>
        <translation>快捷键…</translation>
    </message>
    <message>
        <source>First steps…</source>
        <translation>新手引导…</translation>
    </message>
    <message>
        <source>Help: the guide</source>
        <translation>帮助：使用指南</translation>
    </message>
    <message>
        <source>About Engram</source>
        <translation>关于 Engram</translation>
    </message>
    <message>
        <source>Restart in safe mode, or leave it</source>
        <translation>以安全模式重新启动，或退出安全模式</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Scripts and prompts</source>
        <translation>脚本与提示词</translation>
    </message>
    <message>
        <source>What models cost</source>
        <translation>模型花费</translation>
    </message>
    <message>
        <source>Requests to models</source>
        <translation>对模型的请求</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>更新内容</translation>
    </message>
    <message>
        <source>Third-party notices</source>
        <translation>第三方声明</translation>
    </message>
    <message>
        <source>SillyTavern folder</source>
        <translation>SillyTavern 文件夹</translation>
    </message>
    <message>
        <source>Library health</source>
        <translation>资料库健康</translation>
    </message>
    <message>
        <source>Bring a backup back…</source>
        <translation>恢复备份…</translation>
    </message>
    <message>
        <source>Characters</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Volumes: go on in a new chat…</source>
        <translation>记忆册：换个新聊天接着玩…</translation>
    </message>
    <message>
        <source>Deleted chats</source>
        <translation>已删除的聊天</translation>
    </message>
    <message>
        <source>Begin a chat…</source>
        <translation>开始新对话…</translation>
    </message>
    <message>
        <source>What was said</source>
        <translation>说过的话</translation>
    </message>
    <message>
        <source>Consolidate memory…</source>
        <translation>整理记忆…</translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation>生成摘要…</translation>
    </message>
    <message>
        <source>Trim: merge old events into outlines</source>
        <translation>精简：把旧事件合并为大纲</translation>
    </message>
    <message>
        <source>Look through drafts…</source>
        <translation>审阅草稿…</translation>
    </message>
    <message>
        <source>What could not be summarised</source>
        <translation>未能摘要的部分</translation>
    </message>
    <message>
        <source>Branches: fork, compare, roll back…</source>
        <translation>分支：分叉、比较、回退…</translation>
    </message>
    <message>
        <source>Write an event or a fact…</source>
        <translation>写一条事件或设定…</translation>
    </message>
    <message>
        <source>Deleted events…</source>
        <translation>已删除的事件…</translation>
    </message>
    <message>
        <source>Find and replace in events…</source>
        <translation>在事件中查找和替换…</translation>
    </message>
    <message>
        <source>Events that say the same…</source>
        <translation>内容重复的事件…</translation>
    </message>
    <message>
        <source>Write a private log…</source>
        <translation>写一条日志…</translation>
    </message>
    <message>
        <source>Look back…</source>
        <translation>回顾…</translation>
    </message>
    <message>
        <source>Set a value of the state…</source>
        <translation>设置状态值…</translation>
    </message>
    <message>
        <source>What only some know</source>
        <translation>只有部分人知道的事</translation>
    </message>
    <message>
        <source>Groups: who is of them, and when…</source>
        <translation>组织：成员与加入、离开的楼层…</translation>
    </message>
    <message>
        <source>Markdown folder of this chat…</source>
        <translation>这个聊天的 Markdown 文件夹…</translation>
    </message>
    <message>
        <source>Export this chat&apos;s memory…</source>
        <translation>导出本聊天的记忆…</translation>
    </message>
    <message>
        <source>Rename this chat…</source>
        <translation>重命名本聊天…</translation>
    </message>
    <message>
        <source>Page: {name}</source>
        <translation>页面：{name}</translation>
    </message>
</context>
<context>
    <name>CompletionPage</name>
    <message>
        <source>The chat as SillyTavern would write it for a text completion model: by its story string, instruct template and system prompt. World info and notes among the messages are not in it.</source>
        <translation>按 SillyTavern 的故事字符串、指令模板和系统提示词，把本聊天写成发给文本补全模型的样子。其中不含世界书和插在消息之间的注释。</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>What you say</source>
        <translation>你要说的话</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter begins a line.</source>
        <translation>回车发送，Shift+回车换行。</translation>
    </message>
    <message>
        <source>Who replies</source>
        <translation>由谁回复</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>The turn is taken for what it looks like.</source>
        <translation>按这一轮的样子判断。</translation>
    </message>
    <message>
        <source>What you say next in this scene</source>
        <translation>剧本里你的下一句</translation>
    </message>
    <message>
        <source>Continue the reply</source>
        <translation>继续写</translation>
    </message>
    <message>
        <source>Another reply</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <source>Whose turn it is: {name}</source>
        <translation>轮到：{name}</translation>
    </message>
    <message>
        <source>Whose turn it is</source>
        <translation>轮到谁</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Reply</source>
        <translation>回复</translation>
    </message>
    <message>
        <source>Say something to {name}…</source>
        <translation>对{name}说点什么…</translation>
    </message>
    <message>
        <source>Say something…</source>
        <translation>说点什么…</translation>
    </message>
</context>
<context>
    <name>ConditionField</name>
    <message>
        <source>For example: Alice.affection &gt; 90</source>
        <translation>例如：爱丽丝.好感度 &gt; 90</translation>
    </message>
    <message>
        <source>Only while this holds</source>
        <translation>仅在此条件成立时</translation>
    </message>
    <message>
        <source>No character may know it: {reason}.</source>
        <translation>任何角色都不能知道：{reason}。</translation>
    </message>
    <message>
        <source>It depends on who asks.</source>
        <translation>要看是谁在问。</translation>
    </message>
    <message>
        <source>It does not hold now: no character may know it.</source>
        <translation>现在不成立：任何角色都不能知道。</translation>
    </message>
    <message>
        <source>It holds now: everybody may know it.</source>
        <translation>现在成立：所有角色都可能知道。</translation>
    </message>
    <message>
        <source>It holds now.</source>
        <translation>现在成立。</translation>
    </message>
</context>
<context>
    <name>Conflict</name>
    <message>
        <source>Floors that differ: {floors}</source>
        <translation>内容不同的楼：{floors}</translation>
    </message>
    <message>
        <source>Floors it does not have: {floors}</source>
        <translation>其中没有的楼：{floors}</translation>
    </message>
    <message>
        <source>The chat is now the same as the copy; undo brings those floors back.</source>
        <translation>聊天已变成这份副本的内容；撤销可以找回这些楼。</translation>
    </message>
    <message>
        <source>The copy was left out.</source>
        <translation>没有导入这份副本。</translation>
    </message>
    <message>
        <source>The chat goes on with the copy; a branch keeps those floors as they were.</source>
        <translation>聊天接着这份副本继续；这些楼原来的样子留在一个分支里。</translation>
    </message>
    <message>
        <source>The chat stays as it was; the copy is a branch of it.</source>
        <translation>聊天保持原样；副本的内容成为它的一个分支。</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>另有 {count} 楼</translation>
    </message>
</context>
<context>
    <name>ConsolidateDialog</name>
    <message>
        <source>Consolidate memory</source>
        <translation>整理记忆</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Archived events leave the prompt: outlines still cover them, and they come back word for word when they are recalled. One undo takes all of it back.</source>
        <translation>归档后的事件离开提示词：由大纲继续讲述，被召回时原文回来。一次撤销即可全部恢复。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Consolidate</source>
        <translation>整理记忆</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) will be embedded, linked into the graph and archived.</source>
        <translation>
            <numerusform>将对 %n 条事件做向量嵌入、接入图谱并归档。</numerusform>
        </translation>
    </message>
    <message>
        <source>There is nothing to archive: a summary puts new events into the buffer.</source>
        <translation>没有可归档的事件：生成摘要会把新事件放进缓冲区。</translation>
    </message>
    <message>
        <source>About {tokens} tokens, embedded by {embedder}.</source>
        <translation>约 {tokens} tokens，由 {embedder} 嵌入。</translation>
    </message>
    <message numerus="yes">
        <source>%n locked event(s) stay in the buffer.</source>
        <translation>
            <numerusform>%n 条已锁定的事件留在缓冲区。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CoverageBar</name>
    <message>
        <source>Coverage: which floors have become memory</source>
        <translation>覆盖：哪些楼层已成为记忆</translation>
    </message>
    <message>
        <source>{count} × {state}</source>
        <translation>{count} 楼：{state}</translation>
    </message>
    <message>
        <source>{done} of {all} floors have become memory</source>
        <translation>{all} 楼中已有 {done} 楼成为记忆</translation>
    </message>
    <message>
        <source>Floor {floor}: {state}</source>
        <translation>第 {floor} 楼：{state}</translation>
    </message>
    <message>
        <source>Drag over floors to summarise them, or to make them again.</source>
        <translation>拖选楼层即可摘要或重做。</translation>
    </message>
    <message>
        <source>archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>in the buffer</source>
        <translation>在缓冲区</translation>
    </message>
    <message>
        <source>stale: its messages were changed</source>
        <translation>已过期：原消息有改动</translation>
    </message>
    <message>
        <source>summarised, nothing worth an event</source>
        <translation>已摘要，没有值得记的事件</translation>
    </message>
    <message>
        <source>waiting for your review</source>
        <translation>等你审阅</translation>
    </message>
    <message>
        <source>failed: the answer could not be read</source>
        <translation>失败：回答无法读取</translation>
    </message>
    <message>
        <source>not yet summarised</source>
        <translation>尚未摘要</translation>
    </message>
</context>
<context>
    <name>CurveSection</name>
    <message>
        <source>How it changed</source>
        <translation>变化曲线</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>now {now}, {change} since floor {floor}</source>
        <translation>现在 {now}，自第 {floor} 楼起 {change}</translation>
    </message>
</context>
<context>
    <name>DayEvents</name>
    <message>
        <source>Events of the day</source>
        <translation>当天的事件</translation>
    </message>
</context>
<context>
    <name>DayPage</name>
    <message>
        <source>Days of the story</source>
        <translation>故事日历</translation>
    </message>
    <message numerus="yes">
        <source>{day} · %n event(s)</source>
        <translation>
            <numerusform>{day} · %n 个事件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DescriptionSection</name>
    <message>
        <source>In the story&apos;s words</source>
        <translation>原文里怎么说</translation>
    </message>
    <message>
        <source>floor {floor}</source>
        <translation>第 {floor} 楼</translation>
    </message>
    <message>
        <source>not true</source>
        <translation>不是真的</translation>
    </message>
    <message>
        <source>until floor {floor}</source>
        <translation>到第 {floor} 楼为止</translation>
    </message>
    <message>
        <source>Narration</source>
        <translation>旁白</translation>
    </message>
</context>
<context>
    <name>Desktop</name>
    <message>
        <source>Updating the index</source>
        <translation>更新索引</translation>
    </message>
    <message>
        <source>From the next start on, everything is drawn at {percent} %.</source>
        <translation>下次启动起，界面按 {percent}% 显示。</translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>Rename the chat</source>
        <translation>重命名聊天</translation>
    </message>
</context>
<context>
    <name>DropSign</name>
    <message>
        <source>Drop to import</source>
        <translation>松开即可导入</translation>
    </message>
    <message>
        <source>Chats, cards, world books, backups, or a SillyTavern folder. You see what is in them first, and the files stay as they are.</source>
        <translation>聊天、角色卡、世界书、备份，或 SillyTavern 文件夹。会先列出其中的内容，原文件不会改动。</translation>
    </message>
</context>
<context>
    <name>DuplicatesDialog</name>
    <message>
        <source>Events that say the same</source>
        <translation>内容重复的事件</translation>
    </message>
    <message>
        <source>Found by their words and floors; no model is asked. Everything done here can be undone.</source>
        <translation>根据用词和楼层找出，不调用模型。这里的操作都可以撤销。</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>Keep this one, delete the others</source>
        <translation>只留这条，删除其余</translation>
    </message>
    <message>
        <source>Join into one</source>
        <translation>合并为一条</translation>
    </message>
    <message>
        <source>Not the same</source>
        <translation>不是同一个</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message numerus="yes">
        <source>%n group(s); the surest are shown.</source>
        <translation>
            <numerusform>共 %n 组，先列出最相似的。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s)</source>
        <translation>
            <numerusform>%n 组</numerusform>
        </translation>
    </message>
    <message>
        <source>No two events say the same.</source>
        <translation>没有内容重复的事件。</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n 个事件</numerusform>
        </translation>
    </message>
    <message>
        <source>{events} · the same words</source>
        <translation>{events} · 文字相同</translation>
    </message>
    <message>
        <source>{events} · floors overlap, {share} % of the words are alike</source>
        <translation>{events} · 楼层重叠，{share}% 的用词相同</translation>
    </message>
</context>
<context>
    <name>EditorPanel</name>
    <message>
        <source>Nothing selected</source>
        <translation>未选择事件</translation>
    </message>
    <message>
        <source>Select an event to read and correct it. Click its lamp to archive it.</source>
        <translation>选择一条事件即可阅读和修改；点它的灯即可归档。</translation>
    </message>
    <message>
        <source>Confirm</source>
        <translation>确认</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁定</translation>
    </message>
    <message>
        <source>Show its lines in the text</source>
        <translation>到原文看这几楼</translation>
    </message>
    <message>
        <source>Delete this event</source>
        <translation>删除此事件</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>卡片</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>As a model reads it</source>
        <translation>模型看到的样子</translation>
    </message>
    <message>
        <source>Raw JSON</source>
        <translation>原始 JSON</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) in a prompt</source>
        <translation>
            <numerusform>注入时约 %n tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>设定</translation>
    </message>
    <message>
        <source>Outline {level}</source>
        <translation>大纲 {level}</translation>
    </message>
    <message>
        <source>Archived event</source>
        <translation>归档事件</translation>
    </message>
    <message>
        <source>Buffered event</source>
        <translation>缓冲事件</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>绿灯</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝灯</translation>
    </message>
    <message>
        <source>Confirmed by you. Click to take that back</source>
        <translation>你已确认，点击可收回</translation>
    </message>
    <message>
        <source>Confirm: this memory is right</source>
        <translation>确认：这条记忆没错</translation>
    </message>
    <message>
        <source>Unlock: automation may change it again</source>
        <translation>解锁：自动流程可再次修改它</translation>
    </message>
    <message>
        <source>Lock: no automation may change it</source>
        <translation>锁定：任何自动流程都不得修改它</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>{name} · floor {floor}</source>
        <translation>{name} · {floor} 楼</translation>
    </message>
    <message>
        <source>Its messages are gone.</source>
        <translation>原消息已不存在。</translation>
    </message>
</context>
<context>
    <name>EndDialog</name>
    <message>
        <source>At which floor did this end?</source>
        <translation>这段关系到哪一楼为止？</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>楼层</translation>
    </message>
    <message>
        <source>It stays visible as what was before.</source>
        <translation>它仍会作为“以前”显示。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>It ended here</source>
        <translation>到此为止</translation>
    </message>
</context>
<context>
    <name>EndpointFields</name>
    <message>
        <source>Saving a key</source>
        <translation>保存密钥</translation>
    </message>
    <message>
        <source>No model is chosen. Press “List models”, or type its name.</source>
        <translation>还没有选择模型。请点“获取模型列表”，或直接输入模型名称。</translation>
    </message>
    <message>
        <source>{model} at {url} answered in {ms} ms.</source>
        <translation>{url} 上的 {model} 在 {ms} 毫秒内作答。</translation>
    </message>
    <message numerus="yes">
        <source>Vectors have %n dimension(s).</source>
        <translation>
            <numerusform>向量为 %n 维。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EndpointForm</name>
    <message>
        <source>Test the connection</source>
        <translation>测试连接</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Reads the chat and writes the events. Without it they are extracted.</source>
        <translation>阅读聊天并写出事件。不配置时用抽取式方法生成。</translation>
    </message>
    <message>
        <source>Turns memories into vectors. Without it the built-in embedder does.</source>
        <translation>把记忆变成向量。不配置时用内置嵌入器。</translation>
    </message>
    <message>
        <source>Optional: puts recalled memories into a better order.</source>
        <translation>可选：把召回的记忆排得更准。</translation>
    </message>
    <message>
        <source>Choose a preset…</source>
        <translation>选择预设…</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Base URL</source>
        <translation>接口地址</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API 密钥</translation>
    </message>
    <message>
        <source>List models</source>
        <translation>获取模型列表</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Requests go to {url}</source>
        <translation>请求将发往 {url}</translation>
    </message>
    <message>
        <source>Empty: nothing is sent anywhere.</source>
        <translation>留空：不会向任何地方发送内容。</translation>
    </message>
    <message>
        <source>A key is stored in: {where}. Type to replace it.</source>
        <translation>密钥已保存在：{where}。输入即可替换。</translation>
    </message>
    <message>
        <source>It will be kept in: {where}. Local servers need none.</source>
        <translation>密钥将保存在：{where}。本地服务无需密钥。</translation>
    </message>
    <message>
        <source>It answered.</source>
        <translation>连接正常。</translation>
    </message>
    <message>
        <source>It does not work yet.</source>
        <translation>暂时不可用。</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) offered</source>
        <translation>
            <numerusform>共有 %n 个模型</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntityEditor</name>
    <message>
        <source>“{name}” was merged.</source>
        <translation>“{name}”已合并。</translation>
    </message>
    <message>
        <source>Editing an entity</source>
        <translation>正在编辑实体</translation>
    </message>
</context>
<context>
    <name>EntityFields</name>
    <message>
        <source>Other names</source>
        <translation>别名</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>档案</translation>
    </message>
    <message>
        <source>One fact a line, for example “home: the tavern”</source>
        <translation>每行一条，例如“住处: 酒馆”</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名字</translation>
    </message>
    <message>
        <source>Edit as text</source>
        <translation>以文本编辑</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁定</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Show all of it large</source>
        <translation>放大查看全部</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n 个事件</numerusform>
        </translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>解锁</translation>
    </message>
    <message>
        <source>Locked: nothing changes it by itself</source>
        <translation>已锁定：任何自动步骤都不会改动它</translation>
    </message>
    <message>
        <source>Lock: nothing may change it by itself</source>
        <translation>锁定：任何自动步骤都不会改动它</translation>
    </message>
    <message>
        <source>Merge into…</source>
        <translation>合并到…</translation>
    </message>
    <message>
        <source>Split off</source>
        <translation>拆出别名</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>谁知道这件事…</translation>
    </message>
    <message>
        <source>Hide from the graph</source>
        <translation>从图谱中隐藏</translation>
    </message>
</context>
<context>
    <name>EntityMatches</name>
    <message>
        <source>Matches</source>
        <translation>匹配结果</translation>
    </message>
    <message>
        <source>No entity has this name</source>
        <translation>没有这个名字的实体</translation>
    </message>
</context>
<context>
    <name>EntityPanel</name>
    <message>
        <source>No entity selected</source>
        <translation>未选择实体</translation>
    </message>
    <message>
        <source>Click a node to see what is known of it. Double-click shows it large.</source>
        <translation>点击节点查看已知的内容；双击放大查看。</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>关系</translation>
    </message>
</context>
<context>
    <name>EntryForm</name>
    <message>
        <source>Place in the prompt</source>
        <translation>在提示词中的位置</translation>
    </message>
    <message>
        <source>Chance and time</source>
        <translation>概率与时效</translation>
    </message>
    <message>
        <source>What is scanned</source>
        <translation>扫描范围</translation>
    </message>
    <message>
        <source>Entries that mention others</source>
        <translation>递归</translation>
    </message>
    <message>
        <source>Inclusion group</source>
        <translation>包含组</translation>
    </message>
    <message>
        <source>For whom and for which replies</source>
        <translation>适用角色与时机</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Depth, in messages</source>
        <translation>深度（消息数）</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Character</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Spoken by, at a depth</source>
        <translation>深度处的角色身份</translation>
    </message>
    <message>
        <source>Name of the outlet</source>
        <translation>出口名称</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Not limited by the budget</source>
        <translation>不受预算限制</translation>
    </message>
    <message>
        <source>Probability, in percent</source>
        <translation>概率（%）</translation>
    </message>
    <message>
        <source>Sticky, for messages</source>
        <translation>黏着（消息数）</translation>
    </message>
    <message>
        <source>Cooldown, in messages</source>
        <translation>冷却（消息数）</translation>
    </message>
    <message>
        <source>Delay, in messages</source>
        <translation>延迟（消息数）</translation>
    </message>
    <message>
        <source>Probability counts</source>
        <translation>启用概率</translation>
    </message>
    <message>
        <source>As in the settings</source>
        <translation>跟随设置</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Messages scanned</source>
        <translation>扫描消息数</translation>
    </message>
    <message>
        <source>Case-sensitive</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Whole words only</source>
        <translation>匹配整个单词</translation>
    </message>
    <message>
        <source>Secondary keywords</source>
        <translation>次要关键词</translation>
    </message>
    <message>
        <source>Secondary keywords count</source>
        <translation>启用次要关键词</translation>
    </message>
    <message>
        <source>Look for its keywords here, too:</source>
        <translation>也在这些内容里找关键词：</translation>
    </message>
    <message>
        <source>Waits for round of scanning</source>
        <translation>延迟到第几级递归</translation>
    </message>
    <message>
        <source>Other entries cannot set it off</source>
        <translation>不可被其他条目递归激活</translation>
    </message>
    <message>
        <source>It sets off no other entries</source>
        <translation>不会递归激活其他条目</translation>
    </message>
    <message>
        <source>Names, with commas</source>
        <translation>组名（逗号分隔）</translation>
    </message>
    <message>
        <source>Weight in the group</source>
        <translation>组内权重</translation>
    </message>
    <message>
        <source>Most keywords win</source>
        <translation>按关键词得分胜出</translation>
    </message>
    <message>
        <source>Goes first in its group</source>
        <translation>组内优先</translation>
    </message>
    <message>
        <source>Automation ID</source>
        <translation>自动化 ID</translation>
    </message>
    <message>
        <source>SillyTavern runs its quick reply of this ID when the entry fires.</source>
        <translation>条目触发时，SillyTavern 会运行带此 ID 的快速回复。</translation>
    </message>
    <message>
        <source>Characters, by card file</source>
        <translation>角色（卡片文件名）</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>For all but these</source>
        <translation>排除以上角色与标签</translation>
    </message>
    <message>
        <source>Only for these replies; none ticked is all:</source>
        <translation>仅用于这些生成；都不勾选即全部：</translation>
    </message>
    <message>
        <source>They differ</source>
        <translation>各不相同</translation>
    </message>
    <message>
        <source>Before the character</source>
        <translation>角色定义之前</translation>
    </message>
    <message>
        <source>After the character</source>
        <translation>角色定义之后</translation>
    </message>
    <message>
        <source>Before the example messages</source>
        <translation>示例对话之前</translation>
    </message>
    <message>
        <source>After the example messages</source>
        <translation>示例对话之后</translation>
    </message>
    <message>
        <source>Before the author&apos;s note</source>
        <translation>作者注释之前</translation>
    </message>
    <message>
        <source>After the author&apos;s note</source>
        <translation>作者注释之后</translation>
    </message>
    <message>
        <source>Among the messages, at a depth</source>
        <translation>插入到聊天的指定深度</translation>
    </message>
    <message>
        <source>Outlet: where {{outlet::name}} stands</source>
        <translation>出口：{{outlet::name}} 所在处</translation>
    </message>
    <message>
        <source>and any of the secondary ones</source>
        <translation>且含任一次要关键词</translation>
    </message>
    <message>
        <source>and all of the secondary ones</source>
        <translation>且含全部次要关键词</translation>
    </message>
    <message>
        <source>and none of the secondary ones</source>
        <translation>且不含任何次要关键词</translation>
    </message>
    <message>
        <source>and not all of the secondary ones</source>
        <translation>且不全含次要关键词</translation>
    </message>
    <message>
        <source>Who the player is</source>
        <translation>玩家设定</translation>
    </message>
    <message>
        <source>The character&apos;s description</source>
        <translation>角色描述</translation>
    </message>
    <message>
        <source>The character&apos;s personality</source>
        <translation>角色性格</translation>
    </message>
    <message>
        <source>The character&apos;s note</source>
        <translation>角色备注</translation>
    </message>
    <message>
        <source>The scenario</source>
        <translation>情景</translation>
    </message>
    <message>
        <source>The creator&apos;s notes</source>
        <translation>作者备注</translation>
    </message>
    <message>
        <source>An ordinary reply</source>
        <translation>普通回复</translation>
    </message>
    <message>
        <source>One that is continued</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>One written for the player</source>
        <translation>代玩家发言</translation>
    </message>
    <message>
        <source>Another swipe</source>
        <translation>换一条（滑动）</translation>
    </message>
    <message>
        <source>One made again</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <source>A quiet request</source>
        <translation>静默请求</translation>
    </message>
</context>
<context>
    <name>EntryMenu</name>
    <message>
        <source>Switch all of it on</source>
        <translation>整组启用</translation>
    </message>
    <message>
        <source>Switch all of it off</source>
        <translation>整组停用</translation>
    </message>
    <message>
        <source>Rename the heading…</source>
        <translation>重命名标题…</translation>
    </message>
    <message>
        <source>Take the heading away, keep its entries</source>
        <translation>去掉标题，保留其中的条目</translation>
    </message>
    <message>
        <source>Edit in a large window…</source>
        <translation>在大窗口中编辑…</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Put under a heading</source>
        <translation>放到标题下</translation>
    </message>
    <message>
        <source>New heading…</source>
        <translation>新标题…</translation>
    </message>
    <message>
        <source>None</source>
        <translation>不使用</translation>
    </message>
    <message>
        <source>Move to another world book</source>
        <translation>移到另一本世界书</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>EntryTable</name>
    <message>
        <source>Constant</source>
        <translation>常驻</translation>
    </message>
    <message>
        <source>Triggered</source>
        <translation>触发</translation>
    </message>
    <message>
        <source>Vectorized</source>
        <translation>向量</translation>
    </message>
    <message>
        <source>Disabled</source>
        <translation>停用</translation>
    </message>
    <message>
        <source>As in the file</source>
        <translation>按文件中的次序</translation>
    </message>
    <message>
        <source>By title</source>
        <translation>按标题</translation>
    </message>
    <message>
        <source>By tokens</source>
        <translation>按 token 数</translation>
    </message>
    <message>
        <source>By depth</source>
        <translation>按深度</translation>
    </message>
    <message>
        <source>By order</source>
        <translation>按顺序</translation>
    </message>
    <message>
        <source>By number</source>
        <translation>按编号</translation>
    </message>
    <message>
        <source>{heading} · {on} of {count} on · {tokens} tokens</source>
        <translation>{heading} · 启用 {on} / {count} · {tokens} tokens</translation>
    </message>
    <message>
        <source>Click to fold or unfold; right-click to switch all of it on or off</source>
        <translation>单击折叠或展开；右键可整组启用或停用</translation>
    </message>
    <message>
        <source>Fires: {reason}</source>
        <translation>触发：{reason}</translation>
    </message>
    <message>
        <source>Silent: {reason}</source>
        <translation>未触发：{reason}</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>关键词</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>In this chat now</source>
        <translation>此刻在本聊天中</translation>
    </message>
</context>
<context>
    <name>EventBinList</name>
    <message numerus="yes">
        <source>Bringing %n event(s) back</source>
        <translation>
            <numerusform>正在恢复 %n 条事件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventCard</name>
    <message>
        <source>Outline {level}</source>
        <translation>大纲 {level}</translation>
    </message>
    <message>
        <source>Stale</source>
        <translation>过期</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>设定</translation>
    </message>
</context>
<context>
    <name>EventCommands</name>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Move back to the buffer</source>
        <translation>移回缓冲区</translation>
    </message>
    <message>
        <source>Confirm: this is right</source>
        <translation>确认：没错</translation>
    </message>
    <message>
        <source>No longer confirmed</source>
        <translation>不再算已确认</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁定</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>解锁</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Read its messages</source>
        <translation>查看原文</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>谁知道这件事…</translation>
    </message>
    <message>
        <source>Summarise these floors again…</source>
        <translation>重新摘要这些楼层…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Join into one</source>
        <translation>合并为一条</translation>
    </message>
    <message>
        <source>Split in two…</source>
        <translation>拆成两条…</translation>
    </message>
    <message>
        <source>Take the outline apart</source>
        <translation>拆开这条大纲</translation>
    </message>
</context>
<context>
    <name>EventDuplicates</name>
    <message numerus="yes">
        <source>Deleting %n duplicate(s)</source>
        <translation>
            <numerusform>正在删除 %n 条重复事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Joining %n event(s)</source>
        <translation>
            <numerusform>正在合并 %n 条事件</numerusform>
        </translation>
    </message>
    <message>
        <source>Keeping events apart</source>
        <translation>正在标记为不重复</translation>
    </message>
</context>
<context>
    <name>EventEditor</name>
    <message>
        <source>Saving the event</source>
        <translation>保存事件</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Nothing was overwritten. Which of the two is to stand?</source>
        <translation>什么都没有被覆盖。保留哪一份？</translation>
    </message>
    <message>
        <source>What I wrote</source>
        <translation>我写的</translation>
    </message>
    <message>
        <source>The other</source>
        <translation>另一份</translation>
    </message>
</context>
<context>
    <name>EventFields</name>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Story time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>地点</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>关键词</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>Only while this holds</source>
        <translation>仅在此条件成立时</translation>
    </message>
    <message>
        <source>Significance</source>
        <translation>重要度</translation>
    </message>
    <message>
        <source>Entities and relations</source>
        <translation>实体与关系</translation>
    </message>
    <message>
        <source>Structured fields</source>
        <translation>结构化字段</translation>
    </message>
    <message>
        <source>Roles</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Logic</source>
        <translation>逻辑</translation>
    </message>
    <message>
        <source>Causality</source>
        <translation>因果</translation>
    </message>
    <message>
        <source>None named</source>
        <translation>未提及</translation>
    </message>
</context>
<context>
    <name>EventForm</name>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
    <message>
        <source>No event was recorded. Write what happened to record one.</source>
        <translation>没有记下事件。写下发生了什么，就会记下一个。</translation>
    </message>
    <message>
        <source>Who took part</source>
        <translation>参与者</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>地点</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Save the event</source>
        <translation>保存事件</translation>
    </message>
    <message>
        <source>It was no event</source>
        <translation>这不是事件</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Flags set: {flags}</source>
        <translation>设置的标记：{flags}</translation>
    </message>
</context>
<context>
    <name>EventHistory</name>
    <message>
        <source>Going back to a version</source>
        <translation>正在恢复版本</translation>
    </message>
    <message>
        <source>Before the oldest step that is kept</source>
        <translation>最早保留的步骤之前</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>green</source>
        <translation>绿灯</translation>
    </message>
    <message>
        <source>blue</source>
        <translation>蓝灯</translation>
    </message>
    <message>
        <source>locked</source>
        <translation>已锁定</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Story time</source>
        <translation>故事时间</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>地点</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>关键词</translation>
    </message>
    <message>
        <source>Entities</source>
        <translation>实体</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>Significance</source>
        <translation>重要度</translation>
    </message>
    <message>
        <source>Trust</source>
        <translation>可信度</translation>
    </message>
    <message>
        <source>Floors</source>
        <translation>楼层</translation>
    </message>
</context>
<context>
    <name>EventHistoryView</name>
    <message>
        <source>What this event was, newest first</source>
        <translation>这条事件的历史，新的在前</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>Go back to this version</source>
        <translation>恢复到此版本</translation>
    </message>
    <message>
        <source>What an event was is shown to you, not to a character.</source>
        <translation>事件的历史只给您看，不给角色看。</translation>
    </message>
    <message>
        <source>Older steps are no longer kept.</source>
        <translation>更早的步骤已不再保留。</translation>
    </message>
</context>
<context>
    <name>EventList</name>
    <message>
        <source>Outline, always in context</source>
        <translation>大纲，始终在上下文中</translation>
    </message>
    <message>
        <source>Archived, in context when recalled</source>
        <translation>绿灯：已归档，召回时才在上下文中</translation>
    </message>
    <message>
        <source>Buffer, always in context</source>
        <translation>蓝灯：缓冲，始终在上下文中</translation>
    </message>
    <message>
        <source>Click: back to the buffer, in every prompt</source>
        <translation>点击：移回缓冲，每次提示都带上</translation>
    </message>
    <message>
        <source>Click: archive it, in a prompt when recalled</source>
        <translation>点击：归档，召回时才进入提示</translation>
    </message>
    <message>
        <source>Floor {first}</source>
        <translation>{first} 楼</translation>
    </message>
    <message>
        <source>Floors {first}–{last}</source>
        <translation>{first}–{last} 楼</translation>
    </message>
    <message>
        <source>Volume “{title}”</source>
        <translation>记忆册“{title}”</translation>
    </message>
    <message>
        <source>Events: what happened</source>
        <translation>事件：发生过的</translation>
    </message>
    <message>
        <source>Facts: what holds</source>
        <translation>设定：一直成立的</translation>
    </message>
    <message>
        <source>By story time</source>
        <translation>按故事时间</translation>
    </message>
    <message>
        <source>By story time, newest first</source>
        <translation>按故事时间，新的在前</translation>
    </message>
    <message>
        <source>By significance</source>
        <translation>按重要度</translation>
    </message>
    <message>
        <source>By time made</source>
        <translation>按创建时间</translation>
    </message>
    <message>
        <source>By time changed</source>
        <translation>按修改时间</translation>
    </message>
    <message>
        <source>By the summary&apos;s words</source>
        <translation>按摘要文字</translation>
    </message>
    <message>
        <source>By state</source>
        <translation>按状态</translation>
    </message>
    <message>
        <source>By tokens</source>
        <translation>按 token 数</translation>
    </message>
    <message>
        <source>Confirmed by you</source>
        <translation>你已确认</translation>
    </message>
    <message>
        <source>Said by a model</source>
        <translation>模型所说</translation>
    </message>
    <message>
        <source>Extracted without a model</source>
        <translation>未用模型，抽取而来</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>导入而来</translation>
    </message>
    <message numerus="yes">
        <source>Archiving %n event(s)</source>
        <translation>
            <numerusform>归档 %n 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moving %n event(s) back to the buffer</source>
        <translation>
            <numerusform>将 %n 条事件移回缓冲区</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Locking %n event(s)</source>
        <translation>
            <numerusform>锁定 %n 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Unlocking %n event(s)</source>
        <translation>
            <numerusform>解锁 %n 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Confirming %n event(s)</source>
        <translation>
            <numerusform>正在确认 %n 条事件</numerusform>
        </translation>
    </message>
    <message>
        <source>Adding a memory</source>
        <translation>正在添加记忆</translation>
    </message>
    <message numerus="yes">
        <source>Deleting %n event(s)</source>
        <translation>
            <numerusform>删除 %n 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) deleted</source>
        <translation>
            <numerusform>已删除 %n 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Joining %n event(s)</source>
        <translation>
            <numerusform>正在合并 %n 条事件</numerusform>
        </translation>
    </message>
    <message>
        <source>Splitting an event</source>
        <translation>正在拆分事件</translation>
    </message>
    <message>
        <source>Taking an outline apart</source>
        <translation>正在拆开大纲</translation>
    </message>
    <message>
        <source>Saving the event</source>
        <translation>保存事件</translation>
    </message>
</context>
<context>
    <name>EventListModel</name>
    <message>
        <source>Locked</source>
        <translation>已锁定</translation>
    </message>
    <message>
        <source>Stale</source>
        <translation>过期</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>设定</translation>
    </message>
</context>
<context>
    <name>EventMany</name>
    <message numerus="yes">
        <source>Editing %n event(s)</source>
        <translation>
            <numerusform>正在编辑 %n 条事件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventPage</name>
    <message>
        <source>Find and replace…</source>
        <translation>查找与替换…</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Made without a model</source>
        <translation>未用模型，抽取而成</translation>
    </message>
    <message>
        <source>Key sentences, names and places were picked on this computer. Once a model is set up, “Summarise these floors again” lets it summarise them.</source>
        <translation>关键句、人名与地点由本机抽取。配置模型之后，用“重新摘要这些楼层”可以让模型来写。</translation>
    </message>
    <message>
        <source>Invert selection</source>
        <translation>反选</translation>
    </message>
</context>
<context>
    <name>EventReplace</name>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>Story time</source>
        <translation>故事时间</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>关键词</translation>
    </message>
    <message>
        <source>Structured fields</source>
        <translation>结构化字段</translation>
    </message>
    <message>
        <source>Names of entities and relations</source>
        <translation>实体与关系的名称</translation>
    </message>
    <message numerus="yes">
        <source>Replacing in %n place(s)</source>
        <translation>
            <numerusform>正在替换 %n 处</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventTable</name>
    <message>
        <source>Events</source>
        <translation>事件</translation>
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
        <translation>状态</translation>
    </message>
    <message>
        <source>Story time</source>
        <translation>故事时间</translation>
    </message>
    <message>
        <source>Floors</source>
        <translation>楼层</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Entities</source>
        <translation>实体</translation>
    </message>
    <message>
        <source>Significance</source>
        <translation>重要度</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>修改时间</translation>
    </message>
</context>
<context>
    <name>EventTools</name>
    <message>
        <source>Search events</source>
        <translation>搜索事件</translation>
    </message>
    <message>
        <source>Also: entity:name, is:stale, is:locked, -word, “exact words”, one OR another</source>
        <translation>还可以写：实体:名字、is:过期、is:锁定、-不含的词、“原样的词”、甲 OR 乙</translation>
    </message>
    <message>
        <source>How events are shown</source>
        <translation>事件的显示方式</translation>
    </message>
    <message>
        <source>Sort order</source>
        <translation>排序方式</translation>
    </message>
    <message>
        <source>The other way round</source>
        <translation>反向排序</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>卡片</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Outlines and their parts</source>
        <translation>大纲树</translation>
    </message>
    <message>
        <source>Who was there</source>
        <translation>谁在场</translation>
    </message>
    <message>
        <source>Days of the story</source>
        <translation>故事日历</translation>
    </message>
    <message>
        <source>Write an event or a fact…</source>
        <translation>写一条事件或设定…</translation>
    </message>
    <message>
        <source>More about these events</source>
        <translation>更多操作</translation>
    </message>
    <message>
        <source>Find and replace…</source>
        <translation>查找与替换…</translation>
    </message>
    <message>
        <source>Events that say the same…</source>
        <translation>内容重复的事件…</translation>
    </message>
    <message>
        <source>Deleted events…</source>
        <translation>已删除的事件…</translation>
    </message>
    <message>
        <source>Keep this filter in the sidebar</source>
        <translation>把此筛选保存到侧栏</translation>
    </message>
    <message>
        <source>Kept filters</source>
        <translation>已保存的筛选</translation>
    </message>
</context>
<context>
    <name>EventView</name>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
</context>
<context>
    <name>EventsRow</name>
    <message>
        <source>Show its lines in the text</source>
        <translation>在原文中查看</translation>
    </message>
</context>
<context>
    <name>EverydayWords</name>
    <message>
        <source>font, letters, text size, bigger, larger, smaller, scale</source>
        <translation>字体、字号、文字大小、放大、缩小、界面大小、显示比例</translation>
    </message>
    <message>
        <source>dark mode, night, colours, colors, black, white</source>
        <translation>深色模式、暗色、黑暗模式、夜间模式、夜晚、配色、颜色、皮肤、护眼</translation>
    </message>
    <message>
        <source>translation, Chinese, English, Japanese, interface</source>
        <translation>界面语言、翻译、中文、英文、英语、日文、日语、简体</translation>
    </message>
    <message>
        <source>compact, layout, spacing, interface</source>
        <translation>界面、紧凑、宽松、密度、排版、布局</translation>
    </message>
    <message>
        <source>animation, effects, transitions</source>
        <translation>动效、特效、过渡</translation>
    </message>
    <message>
        <source>notification, alert, popup, sound</source>
        <translation>通知、提醒、弹窗、提示音</translation>
    </message>
    <message>
        <source>API key, password, token, provider, account, LLM, AI</source>
        <translation>API 密钥、密码、令牌、接口、服务商、账号、大模型、AI</translation>
    </message>
    <message>
        <source>LLM, AI, GPT, DeepSeek, Claude, Gemini, Ollama</source>
        <translation>大模型、AI、GPT、DeepSeek、Claude、Gemini、Ollama</translation>
    </message>
    <message>
        <source>timeout, waiting, slow, hangs</source>
        <translation>超时, 等待, 太慢, 卡住</translation>
    </message>
    <message>
        <source>concurrency, threads, rate limit, 429, faster</source>
        <translation>并发, 同时请求, 线程, 限流, 429, 加速</translation>
    </message>
    <message>
        <source>offline, local model, vectors, memory use</source>
        <translation>离线, 本地模型, 向量, 内存占用</translation>
    </message>
    <message>
        <source>cost, money, spending, expensive, save, quota</source>
        <translation>费用、花费、省钱、钱、限额、额度、消费</translation>
    </message>
    <message>
        <source>API key, vectors, semantic search</source>
        <translation>API 密钥、向量、语义搜索</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API 密钥</translation>
    </message>
    <message>
        <source>VPN, SOCKS, Clash, internet, connection, firewall</source>
        <translation>翻墙、科学上网、梯子、VPN、SOCKS、Clash、上网、连接、防火墙</translation>
    </message>
    <message>
        <source>VPN, SOCKS, Clash, port</source>
        <translation>翻墙、梯子、VPN、SOCKS、Clash、端口</translation>
    </message>
    <message>
        <source>password, secret, privacy, security, keyring</source>
        <translation>密码、隐私、安全、钥匙串、保密</translation>
    </message>
    <message>
        <source>save, copy, restore, interval</source>
        <translation>保存、副本、恢复、还原、存档</translation>
    </message>
    <message>
        <source>timeout, busy, locked</source>
        <translation>超时、占用、锁定</translation>
    </message>
    <message>
        <source>my name, user, character, description</source>
        <translation>我的名字、名字、人设、角色设定、主角、用户</translation>
    </message>
    <message>
        <source>how often, frequency</source>
        <translation>频率、多久一次、总结间隔、间隔</translation>
    </message>
    <message>
        <source>length, how much, cost</source>
        <translation>长度、最大长度、费用、省 token</translation>
    </message>
    <message>
        <source>API key, provider, upstream</source>
        <translation>API 密钥、服务商、上游</translation>
    </message>
    <message>
        <source>autostart, API, proxy of memory</source>
        <translation>自动启动、开机、API、记忆代理</translation>
    </message>
    <message>
        <source>path, sync, import, location</source>
        <translation>路径、同步、导入、酒馆、位置</translation>
    </message>
    <message>
        <source>lorebook, length</source>
        <translation>最大长度、上下文长度</translation>
    </message>
    <message>
        <source>upgrade, version</source>
        <translation>升级、版本、新版</translation>
    </message>
    <message>
        <source>shortcuts, hotkeys, keyboard, bindings</source>
        <translation>快捷键、热键、键盘、按键</translation>
    </message>
    <message>
        <source>backup, restore, repair, damaged, check, index, data</source>
        <translation>备份、恢复、还原、修复、损坏、检查、索引、数据、存储</translation>
    </message>
    <message>
        <source>prompt, template, regex, preset, system message</source>
        <translation>提示词、模板、正则、预设、系统消息</translation>
    </message>
    <message>
        <source>cost, money, spending, tokens used, statistics, bill</source>
        <translation>费用、花费、用量、消耗、统计、账单</translation>
    </message>
    <message>
        <source>version, licence, license, log, website</source>
        <translation>版本、许可证、日志、网站、作者</translation>
    </message>
    <message>
        <source>Opens beside the settings</source>
        <translation>在设置之外打开</translation>
    </message>
</context>
<context>
    <name>EvidenceSection</name>
    <message numerus="yes">
        <source>Evidence · %n event(s)</source>
        <translation>
            <numerusform>证据 · %n 条事件</numerusform>
        </translation>
    </message>
    <message>
        <source>Read these lines</source>
        <translation>阅读这几楼原文</translation>
    </message>
</context>
<context>
    <name>ExchangeList</name>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>At</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回复</translation>
    </message>
    <message>
        <source>Show the chat</source>
        <translation>打开这个聊天</translation>
    </message>
    <message>
        <source>The exact request…</source>
        <translation>原始请求…</translation>
    </message>
</context>
<context>
    <name>ExchangePanel</name>
    <message>
        <source>The request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Which chat</source>
        <translation>是哪个聊天</translation>
    </message>
    <message>
        <source>This was another chat…</source>
        <translation>其实是别的聊天…</translation>
    </message>
    <message>
        <source>The exact request…</source>
        <translation>原始请求…</translation>
    </message>
    <message>
        <source>No request selected</source>
        <translation>没有选中请求</translation>
    </message>
    <message>
        <source>Select one to see which chat it was taken for and what it was given.</source>
        <translation>选中一个，看看它被认作哪个聊天、得到了什么记忆。</translation>
    </message>
    <message>
        <source>{chat}, {how}, {sure} sure</source>
        <translation>{chat}，{how}，把握 {sure}</translation>
    </message>
    <message>
        <source>None that is known</source>
        <translation>没有认出来</translation>
    </message>
    <message>
        <source>Seen as {name}: only what {name} knows</source>
        <translation>以{name}的视角查看：只有{name}知道的事</translation>
    </message>
    <message>
        <source>Kept: {what}</source>
        <translation>已保存：{what}</translation>
    </message>
    <message numerus="yes">
        <source>Memory put in: %n token(s)</source>
        <translation>
            <numerusform>放入的记忆：%n token</numerusform>
        </translation>
    </message>
    <message>
        <source>memory {ms} ms</source>
        <translation>记忆 {ms} 毫秒</translation>
    </message>
    <message>
        <source>first byte {ms} ms</source>
        <translation>首字节 {ms} 毫秒</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) saved</source>
        <translation>
            <numerusform>省下 %n token</numerusform>
        </translation>
    </message>
    <message>
        <source>memory shortened from {wanted} to {given} tokens: the model&apos;s context was full</source>
        <translation>模型上下文已满，记忆从 {wanted} 缩短为 {given} token</translation>
    </message>
    <message>
        <source>Do not use this memory again</source>
        <translation>不要再用这条记忆</translation>
    </message>
    <message>
        <source>None of my chats</source>
        <translation>不是我的任何聊天</translation>
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
            <numerusform>最后比较了 %n 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>{count} came back</source>
        <translation>召回 {count} 条</translation>
    </message>
    <message>
        <source>Also searched for: {words}</source>
        <translation>还搜索了：{words}</translation>
    </message>
    <message>
        <source>Understood as: {text}</source>
        <translation>理解为：{text}</translation>
    </message>
    <message>
        <source>Recalled</source>
        <translation>召回了</translation>
    </message>
    <message>
        <source>Not recalled</source>
        <translation>没有召回</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export {chat}</source>
        <translation>导出 {chat}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Markdown, for reading</source>
        <translation>Markdown，便于阅读</translation>
    </message>
    <message>
        <source>JSON, everything, private notes too</source>
        <translation>JSON，全部内容，包括私人备注</translation>
    </message>
    <message>
        <source>World book for SillyTavern</source>
        <translation>酒馆世界书</translation>
    </message>
    <message>
        <source>Sync file of the Engram extension</source>
        <translation>Engram 扩展的同步文件</translation>
    </message>
    <message>
        <source>As</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>For</source>
        <translation>给谁看</translation>
    </message>
    <message>
        <source>Everything that is remembered</source>
        <translation>所有记忆</translation>
    </message>
    <message>
        <source>Only what all of these know</source>
        <translation>只写下列角色全都知道的</translation>
    </message>
    <message>
        <source>One name: what a character may know. Several: what everybody in a scene may know.</source>
        <translation>选一个：这个角色可以知道的。选多个：一个场景里可以提到的。</translation>
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
        <translation>导出</translation>
    </message>
</context>
<context>
    <name>FacetBar</name>
    <message>
        <source>Entity</source>
        <translation>实体</translation>
    </message>
    <message>
        <source>More filters</source>
        <translation>更多筛选</translation>
    </message>
    <message>
        <source>No entity yet</source>
        <translation>还没有实体</translation>
    </message>
    <message>
        <source>No events yet</source>
        <translation>还没有事件</translation>
    </message>
    <message>
        <source>All {n}</source>
        <translation>全部 {n}</translation>
    </message>
    <message>
        <source>Buffer {n}</source>
        <translation>缓冲 {n}</translation>
    </message>
    <message>
        <source>Archived {n}</source>
        <translation>归档 {n}</translation>
    </message>
    <message>
        <source>Outlines {n}</source>
        <translation>大纲 {n}</translation>
    </message>
    <message>
        <source>Stale {n}</source>
        <translation>过期 {n}</translation>
    </message>
    <message>
        <source>Locked {n}</source>
        <translation>锁定 {n}</translation>
    </message>
</context>
<context>
    <name>FacetStrip</name>
    <message>
        <source>Filters that are set</source>
        <translation>当前筛选</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Keep this filter in the sidebar</source>
        <translation>把此筛选保存到侧栏</translation>
    </message>
</context>
<context>
    <name>Facets</name>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>性质</translation>
    </message>
    <message>
        <source>Trust</source>
        <translation>可信度</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Entity</source>
        <translation>实体</translation>
    </message>
    <message>
        <source>Keyword</source>
        <translation>关键词</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>真伪</translation>
    </message>
    <message>
        <source>Outline {level}</source>
        <translation>大纲 {level}</translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation>缓冲</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>大纲</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>A model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Extraction</source>
        <translation>抽取</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>An import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Stale</source>
        <translation>过期</translation>
    </message>
    <message>
        <source>Has a finding</source>
        <translation>涉及真伪</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>锁定</translation>
    </message>
    <message>
        <source>{field}: {value}</source>
        <translation>{field}：{value}</translation>
    </message>
    <message>
        <source>Only this</source>
        <translation>只看这个</translation>
    </message>
    <message>
        <source>And this</source>
        <translation>且 这个</translation>
    </message>
    <message>
        <source>Or this</source>
        <translation>或 这个</translation>
    </message>
    <message>
        <source>Not this</source>
        <translation>排除这个</translation>
    </message>
    <message>
        <source>Click: only this. Ctrl+click: and. Shift+click: or. Alt+click: not. A right click offers the same.</source>
        <translation>单击：只看这个。Ctrl+单击：且。Shift+单击：或。Alt+单击：非。右键也有同样的选项。</translation>
    </message>
    <message>
        <source>or</source>
        <translation>或</translation>
    </message>
    <message>
        <source>and</source>
        <translation>且</translation>
    </message>
    <message>
        <source>not</source>
        <translation>非</translation>
    </message>
</context>
<context>
    <name>FactTable</name>
    <message>
        <source>The first event that says so</source>
        <translation>最早提到这一点的事件</translation>
    </message>
</context>
<context>
    <name>FailuresDialog</name>
    <message>
        <source>Blocks that failed</source>
        <translation>失败的区块</translation>
    </message>
    <message>
        <source>The model&apos;s own answer; it can be corrected</source>
        <translation>模型的原始回答，可以改正</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>重新请求</translation>
    </message>
    <message>
        <source>Ask for all again</source>
        <translation>全部重新请求</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>outdated: the messages have changed</source>
        <translation>已过期：消息已被改动</translation>
    </message>
    <message>
        <source>Nothing is left here.</source>
        <translation>这里已经没有内容了。</translation>
    </message>
    <message>
        <source>There was no answer.</source>
        <translation>没有回答。</translation>
    </message>
</context>
<context>
    <name>FileCard</name>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n 条消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hidden</source>
        <translation>
            <numerusform>%n 条隐藏</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other swipe(s), not used</source>
        <translation>
            <numerusform>%n 条未选用的备选回复</numerusform>
        </translation>
    </message>
    <message>
        <source>World book</source>
        <translation>世界书</translation>
    </message>
    <message>
        <source>Character card</source>
        <translation>角色卡</translation>
    </message>
    <message>
        <source>Regex scripts</source>
        <translation>正则脚本</translation>
    </message>
    <message numerus="yes">
        <source>%n script(s)</source>
        <translation>
            <numerusform>%n 条脚本</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n world book entry(ies)</source>
        <translation>
            <numerusform>%n 个世界书条目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) cannot be read; the rest is imported:</source>
        <translation>
            <numerusform>有 %n 行无法读取，其余照常导入：</numerusform>
        </translation>
    </message>
    <message>
        <source>line {line}: {message}</source>
        <translation>第 {line} 行：{message}</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 条</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Continue “{name}”: %n new message(s)</source>
        <translation>
            <numerusform>接续“{name}”：%n 条新消息</numerusform>
        </translation>
    </message>
    <message>
        <source>Continue “{name}”: nothing new</source>
        <translation>接续“{name}”：没有新内容</translation>
    </message>
    <message>
        <source>Keep both: a chat of its own</source>
        <translation>保留两者：作为新的聊天</translation>
    </message>
    <message>
        <source>A new chat</source>
        <translation>作为新的聊天</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>不导入</translation>
    </message>
    <message>
        <source>Another chat here is called “{name}”: it stays as it is.</source>
        <translation>已有一个名为“{name}”的聊天，它保持不变。</translation>
    </message>
    <message>
        <source>Name of the new chat</source>
        <translation>新聊天的名称</translation>
    </message>
    <message>
        <source>It is another copy of “{name}”:</source>
        <translation>这是“{name}”的另一份副本：</translation>
    </message>
    <message>
        <source>Keep both: the chat goes on with the file, a branch keeps these floors</source>
        <translation>保留两者：聊天接着文件继续，这些楼留在分支里</translation>
    </message>
    <message>
        <source>Keep both: the file becomes a branch, the chat stays as it is</source>
        <translation>保留两者：文件成为分支，聊天保持原样</translation>
    </message>
    <message>
        <source>Replace: the chat becomes the same as the file; that can be taken back</source>
        <translation>替换：聊天变成文件的内容；可以撤销</translation>
    </message>
    <message>
        <source>This is the longest of them.</source>
        <translation>这是其中最长的一个。</translation>
    </message>
    <message numerus="yes">
        <source>Import %n chat(s), each on its own</source>
        <translation>
            <numerusform>导入 %n 个聊天，各自独立</numerusform>
        </translation>
    </message>
    <message>
        <source>In the library already, as “{name}”</source>
        <translation>资料库中已有，名为“{name}”</translation>
    </message>
    <message>
        <source>Store it as</source>
        <translation>存为</translation>
    </message>
    <message>
        <source>Name in the library</source>
        <translation>在资料库中的名称</translation>
    </message>
    <message>
        <source>Something else here is called “{name}”. It is not touched unless you say.</source>
        <translation>资料库里已经有“{name}”。不经您选择，不会动它。</translation>
    </message>
    <message>
        <source>Keep both</source>
        <translation>保留两者</translation>
    </message>
    <message>
        <source>Put it in the place of “{name}”; that can be taken back</source>
        <translation>替换“{name}”（可以撤销）</translation>
    </message>
    <message>
        <source>Merge: add the entries that “{name}” has not</source>
        <translation>合并：加入“{name}”没有的条目</translation>
    </message>
</context>
<context>
    <name>FilterHelp</name>
    <message>
        <source>type:event</source>
        <translation>类型:事件</translation>
    </message>
    <message>
        <source>entity:</source>
        <translation>实体:</translation>
    </message>
    <message>
        <source>chat:</source>
        <translation>聊天:</translation>
    </message>
    <message>
        <source>is:blue</source>
        <translation>is:蓝</translation>
    </message>
    <message>
        <source>is:stale</source>
        <translation>is:过期</translation>
    </message>
    <message>
        <source>only this kind: chat, entity, event, message, log, book</source>
        <translation>只要这一类：聊天、实体、事件、原文、日志、世界书</translation>
    </message>
    <message>
        <source>mentions this entity, under any of its names</source>
        <translation>讲到这个实体，用哪个名字都算</translation>
    </message>
    <message>
        <source>in chats whose name holds this</source>
        <translation>只在名字含有它的聊天里</translation>
    </message>
    <message>
        <source>always in context; is:green: when recalled</source>
        <translation>常驻的；is:绿：触发的</translation>
    </message>
    <message>
        <source>no longer true; is:locked: locked</source>
        <translation>已过期的；is:锁：已锁定的</translation>
    </message>
    <message>
        <source>before a word or a filter: without it</source>
        <translation>放在词或条件前：不含它</translation>
    </message>
    <message>
        <source>exactly these words, with their blanks</source>
        <translation>一字不差，连空格也算</translation>
    </message>
    <message>
        <source>one or the other; a blank means both</source>
        <translation>任一即可；空格表示都要</translation>
    </message>
    <message>
        <source>Type {filter}</source>
        <translation>输入 {filter}</translation>
    </message>
</context>
<context>
    <name>FilteredMenu</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
</context>
<context>
    <name>FindingDetail</name>
    <message>
        <source>Key {number}</source>
        <translation>{number} 键</translation>
    </message>
    <message>
        <source>Your answer; once more takes it back</source>
        <translation>您的回答；再按一次即收回</translation>
    </message>
    <message>
        <source>Keys 1–{last} answer and go on, J and K move, Ctrl+Z undoes.</source>
        <translation>按 1–{last} 回答并转到下一条，J、K 移动，Ctrl+Z 撤销。</translation>
    </message>
    <message>
        <source>Due: {trigger}</source>
        <translation>时机：{trigger}</translation>
    </message>
    <message>
        <source>Who knows better: {names}</source>
        <translation>知道实情的人：{names}</translation>
    </message>
</context>
<context>
    <name>FindingList</name>
    <message>
        <source>Answering a finding</source>
        <translation>回答一条真伪</translation>
    </message>
</context>
<context>
    <name>FindingModel</name>
    <message>
        <source>Floors {floors}</source>
        <translation>第 {floors} 楼</translation>
    </message>
</context>
<context>
    <name>FindingPage</name>
    <message>
        <source>Search findings</source>
        <translation>搜索真伪</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>真伪</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Any status</source>
        <translation>任何状态</translation>
    </message>
    <message>
        <source>Nothing is known of what {name} hears</source>
        <translation>不知道{name}听到过什么</translation>
    </message>
    <message>
        <source>Nobody of that name speaks, is spoken to or acts in this story.</source>
        <translation>这个故事里，没有叫这个名字的人说话、被搭话或做过什么。</translation>
    </message>
    <message>
        <source>No finding matches</source>
        <translation>没有符合的条目</translation>
    </message>
    <message>
        <source>Try fewer words, or another kind.</source>
        <translation>请减少关键词，或换一类看看。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Nothing yet at this floor</source>
        <translation>到这一楼还没有</translation>
    </message>
    <message>
        <source>Move the slider on.</source>
        <translation>请把滑块往后移。</translation>
    </message>
    <message>
        <source>Nothing that {name} knows of</source>
        <translation>{name}知道的内容里没有</translation>
    </message>
    <message>
        <source>Only what follows from what {name} says, hears and thinks counts.</source>
        <translation>只看从{name}所说、所闻、所想中能得出的内容。</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有发现</translation>
    </message>
    <message>
        <source>Lies, mistakes, contradictions, promises and what is no longer so appear here when the story tells of them. No model is needed.</source>
        <translation>故事里出现谎言、误会、矛盾、承诺，或有什么已经过时，都会列在这里。不需要模型。</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>Superseded</source>
        <translation>已过时</translation>
    </message>
    <message>
        <source>Lie</source>
        <translation>谎言</translation>
    </message>
    <message>
        <source>Mistaken</source>
        <translation>误以为</translation>
    </message>
    <message>
        <source>Contradiction</source>
        <translation>矛盾</translation>
    </message>
    <message>
        <source>Promise</source>
        <translation>承诺</translation>
    </message>
    <message>
        <source>The first was so until the second: what is newer holds.</source>
        <translation>前一句到后一句为止：以新的为准。</translation>
    </message>
    <message>
        <source>The first is not so, and who said it knew: the second shows it.</source>
        <translation>前一句不是真的，说的人心里清楚：后一句可以看出。</translation>
    </message>
    <message>
        <source>The first is not so, but who said it believed it: the second shows it.</source>
        <translation>前一句不是真的，但说的人信以为真：后一句可以看出。</translation>
    </message>
    <message>
        <source>Both cannot be so, and nothing between them changed it. Which is true?</source>
        <translation>两句不能同时成立，其间也没有发生改变它的事。哪一句是真的？</translation>
    </message>
    <message>
        <source>A vow, an appointment, a threat or a riddle. What became of it?</source>
        <translation>誓言、约定、威胁或悬念。后来怎样了？</translation>
    </message>
    <message>
        <source>over</source>
        <translation>已过时</translation>
    </message>
    <message>
        <source>not found out</source>
        <translation>未被识破</translation>
    </message>
    <message>
        <source>found out</source>
        <translation>已被识破</translation>
    </message>
    <message>
        <source>still believed</source>
        <translation>仍信以为真</translation>
    </message>
    <message>
        <source>corrected</source>
        <translation>已得知实情</translation>
    </message>
    <message>
        <source>open</source>
        <translation>未了结</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>已回答</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>已兑现</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>已违背</translation>
    </message>
    <message>
        <source>given up</source>
        <translation>已放弃</translation>
    </message>
    <message>
        <source>The later is true</source>
        <translation>后一句是真的</translation>
    </message>
    <message>
        <source>The earlier is true</source>
        <translation>前一句是真的</translation>
    </message>
    <message>
        <source>Both, time passed</source>
        <translation>都是真的，时过境迁</translation>
    </message>
    <message>
        <source>One lies</source>
        <translation>有一方说谎</translation>
    </message>
    <message>
        <source>Deliberate</source>
        <translation>有意为之</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>未了结</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>已兑现</translation>
    </message>
    <message>
        <source>Broken</source>
        <translation>已违背</translation>
    </message>
    <message>
        <source>Given up</source>
        <translation>已放弃</translation>
    </message>
    <message>
        <source>where one lives</source>
        <translation>住处</translation>
    </message>
    <message>
        <source>where it is</source>
        <translation>所在</translation>
    </message>
    <message>
        <source>whose it is</source>
        <translation>归谁所有</translation>
    </message>
    <message>
        <source>work or rank</source>
        <translation>职业或身份</translation>
    </message>
    <message>
        <source>alive or dead</source>
        <translation>生死</translation>
    </message>
    <message>
        <source>relationship</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名字</translation>
    </message>
    <message>
        <source>health</source>
        <translation>身体状况</translation>
    </message>
    <message>
        <source>amount</source>
        <translation>数目</translation>
    </message>
    <message>
        <source>date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>age</source>
        <translation>年龄</translation>
    </message>
    <message>
        <source>since when</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>where one comes from</source>
        <translation>来历</translation>
    </message>
    <message>
        <source>where one was</source>
        <translation>当时所在</translation>
    </message>
    <message>
        <source>out of character</source>
        <translation>戏外发言</translation>
    </message>
    <message>
        <source>the narration</source>
        <translation>旁白</translation>
    </message>
    <message>
        <source>{who} says</source>
        <translation>{who}说</translation>
    </message>
    <message>
        <source>{who} thinks</source>
        <translation>{who}心想</translation>
    </message>
    <message>
        <source>{who} writes</source>
        <translation>{who}写道</translation>
    </message>
    <message>
        <source>{who} tells</source>
        <translation>{who}叙述</translation>
    </message>
</context>
<context>
    <name>FloorBubble</name>
    <message>
        <source>Floor {floor}</source>
        <translation>第 {floor} 楼</translation>
    </message>
</context>
<context>
    <name>FloorChoice</name>
    <message>
        <source>These floors</source>
        <translation>指定楼层</translation>
    </message>
</context>
<context>
    <name>FloorRange</name>
    <message>
        <source>First floor</source>
        <translation>起始楼层</translation>
    </message>
    <message>
        <source>Last floor</source>
        <translation>结束楼层</translation>
    </message>
</context>
<context>
    <name>FloorSlider</name>
    <message>
        <source>Up to floor</source>
        <translation>截至楼层</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>{floor} of {last}</source>
        <translation>{floor} / {last} 楼</translation>
    </message>
</context>
<context>
    <name>FolderDialog</name>
    <message>
        <source>Markdown folder</source>
        <translation>Markdown 文件夹</translation>
    </message>
    <message>
        <source>One file for each event and entity, kept in step both ways: what is edited, added or deleted in the folder comes back as a step that can be undone. What both sides changed waits for your choice. Private notes are in no file. At most {files} files, of {size} kB each.</source>
        <translation>每个事件和实体一个文件，双向保持同步：在文件夹里修改、新增或删除的内容，会作为可撤销的一步回到这里。两边都改过的，等您选择。私人备注不在任何文件里。最多 {files} 个文件，每个不超过 {size} kB。</translation>
    </message>
    <message>
        <source>Files that are not in step</source>
        <translation>未同步的文件</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>再看一次</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop keeping it in step; its files stay</source>
        <translation>不再保持同步；文件保留</translation>
    </message>
    <message>
        <source>Keep what is here</source>
        <translation>保留这里的</translation>
    </message>
    <message>
        <source>Take the file</source>
        <translation>采用文件的</translation>
    </message>
    <message>
        <source>They were meant to be deleted</source>
        <translation>确实要删除</translation>
    </message>
    <message>
        <source>This chat is kept in no folder.</source>
        <translation>这个聊天没有对应的文件夹。</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) in step</source>
        <translation>
            <numerusform>%n 个文件已同步</numerusform>
        </translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>Here: {text}</source>
        <translation>这里：{text}</translation>
    </message>
    <message>
        <source>File: {text}</source>
        <translation>文件：{text}</translation>
    </message>
    <message>
        <source>A new or empty folder</source>
        <translation>新的或空的文件夹</translation>
    </message>
</context>
<context>
    <name>FolderStep</name>
    <message>
        <source>Where your library lies</source>
        <translation>资料库放在哪里</translation>
    </message>
    <message>
        <source>Chats and their memory are kept in one folder on this computer, nowhere else.</source>
        <translation>聊天和记忆都保存在这台电脑的一个文件夹里，不会放到别处。</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Another folder…</source>
        <translation>换一个文件夹…</translation>
    </message>
    <message>
        <source>Folder of a library</source>
        <translation>资料库的文件夹</translation>
    </message>
</context>
<context>
    <name>FootBar</name>
    <message>
        <source>Always visible {used} / {limit} tokens</source>
        <translation>常驻 {used} / {limit} tokens</translation>
    </message>
    <message>
        <source>Pause automatic memory</source>
        <translation>暂停自动记忆</translation>
    </message>
    <message>
        <source>What the next reply would be given of memory</source>
        <translation>下一次回复会得到哪些记忆</translation>
    </message>
    <message>
        <source>Messages of this session</source>
        <translation>本次运行的消息</translation>
    </message>
    <message>
        <source>Next prompt</source>
        <translation>下次提示</translation>
    </message>
    <message>
        <source>Next prompt: {tokens} tokens</source>
        <translation>下次提示：{tokens} tokens</translation>
    </message>
    <message numerus="yes">
        <source>Next prompt: %n of these, {tokens} tokens</source>
        <translation>
            <numerusform>下次提示：其中 %n 条，{tokens} tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>{used} / {limit} tokens</source>
        <translation>{used} / {limit} tokens</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) to review</source>
        <translation>
            <numerusform>%n 个区块待审阅</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) failed</source>
        <translation>
            <numerusform>%n 个区块失败</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume automatic memory</source>
        <translation>继续自动记忆</translation>
    </message>
    <message>
        <source>Index in order</source>
        <translation>索引正常</translation>
    </message>
    <message>
        <source>Exact search</source>
        <translation>精确检索</translation>
    </message>
    <message>
        <source>Index starting, exact search meanwhile</source>
        <translation>索引启动中，暂用精确检索</translation>
    </message>
    <message>
        <source>Index updating, exact search meanwhile</source>
        <translation>索引更新中，暂用精确检索</translation>
    </message>
    <message>
        <source>Index off</source>
        <translation>索引已关闭</translation>
    </message>
    <message>
        <source>Changing to the new model {share} %</source>
        <translation>正在换用新模型 {share} %</translation>
    </message>
    <message>
        <source>Index broken, exact search meanwhile</source>
        <translation>索引损坏，暂用精确检索</translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s)</source>
        <translation>
            <numerusform>%n 条记忆</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FoundList</name>
    <message>
        <source>Settings found</source>
        <translation>找到的设置</translation>
    </message>
    <message>
        <source>No setting says “{text}”.</source>
        <translation>没有设置提到“{text}”。</translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s)</source>
        <translation>
            <numerusform>%n 项设置</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FrontEnds</name>
    <message>
        <source>Fill in the address {url} and the key {key}.</source>
        <translation>填入地址 {url} 和密钥{key}。</translation>
    </message>
    <message>
        <source>Choose the model you use here, and talk as ever.</source>
        <translation>选择你在这里用的模型，照常聊天。</translation>
    </message>
    <message>
        <source>API connections: Chat Completion, source “Custom”.</source>
        <translation>API 连接：选“聊天补全”，来源选“自定义（兼容 OpenAI）”。</translation>
    </message>
    <message>
        <source>Connect, and choose the model you use here.</source>
        <translation>连接，并选择你在这里用的模型。</translation>
    </message>
    <message>
        <source>For text completion: type “Generic” or “KoboldCpp”, and the address {root}.</source>
        <translation>文本补全：类型选“Generic”或“KoboldCpp”，地址填 {root}。</translation>
    </message>
    <message>
        <source>Or keep the connection you have, and install the companion: it asks for memory before each reply.</source>
        <translation>也可以保留原来的连接，只装配套扩展：它会在每次回复前来取记忆。</translation>
    </message>
    <message>
        <source>Settings, Chat Bot: model “Custom API” (OpenAI compatible).</source>
        <translation>设置 → 聊天机器人：模型选“自定义 API”（兼容 OpenAI）。</translation>
    </message>
    <message>
        <source>Admin Panel, Settings, Connections: add an OpenAI connection.</source>
        <translation>管理员面板 → 设置 → 外部连接：添加一个 OpenAI 连接。</translation>
    </message>
    <message>
        <source>If it runs in a container, open the server to the network in the settings, and use this computer&apos;s address instead of 127.0.0.1.</source>
        <translation>如果它跑在容器里，请在设置里对局域网开放，并用本机的局域网地址代替 127.0.0.1。</translation>
    </message>
    <message>
        <source>Settings, AI Service Provider, OpenAI.</source>
        <translation>设置 → AI 服务商 → OpenAI。</translation>
    </message>
    <message>
        <source>If it asks from the browser, name its address in the settings here, under “Memory server: web pages that may use it”.</source>
        <translation>如果它从浏览器直接请求，请在这里的设置“记忆服务器：可以使用它的网页”中填上它的网址。</translation>
    </message>
    <message>
        <source>Settings, Model Provider: add one, of the OpenAI API.</source>
        <translation>设置 → 模型提供方：添加一个，类型选 OpenAI API。</translation>
    </message>
    <message>
        <source>Any other program</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <source>Look for “OpenAI compatible”, “base URL” or “API address”.</source>
        <translation>找“兼容 OpenAI”“Base URL”或“API 地址”这样的设置。</translation>
    </message>
    <message>
        <source>To say yourself which chat it is, use {root}/chat/NAME/v1 with the chat&apos;s name.</source>
        <translation>想自己指定是哪个聊天，就用 {root}/chat/名字/v1，“名字”处填聊天的名字。</translation>
    </message>
    <message>
        <source>A program that starts tools: command “engram”, argument “mcp”.</source>
        <translation>能启动本地工具的程序：命令填 engram，参数填 mcp。</translation>
    </message>
    <message>
        <source>One that asks over HTTP: {root}/mcp, with the key {key}.</source>
        <translation>通过 HTTP 连接的程序：地址 {root}/mcp，密钥{key}。</translation>
    </message>
    <message>
        <source>Tools that write are allowed in the settings.</source>
        <translation>会写入的工具要先在设置里允许。</translation>
    </message>
</context>
<context>
    <name>GapSection</name>
    <message>
        <source>Missing</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>floor {floor}</source>
        <translation>{floor} 楼</translation>
    </message>
    <message>
        <source>Named here, and no event of this floor is linked to it</source>
        <translation>这里提到了，但这一楼的事件都没有关联它</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 楼</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Gaps</name>
    <message>
        <source>alone: no relation</source>
        <translation>孤立：没有关系</translation>
    </message>
    <message>
        <source>named without a link</source>
        <translation>提到却未关联</translation>
    </message>
    <message>
        <source>persons never described</source>
        <translation>从未描述的人物</translation>
    </message>
    <message>
        <source>persons without a home</source>
        <translation>没有住处的人物</translation>
    </message>
    <message>
        <source>persons without a birthday</source>
        <translation>没有生日的人物</translation>
    </message>
    <message>
        <source>no relation</source>
        <translation>没有关系</translation>
    </message>
    <message>
        <source>never described</source>
        <translation>从未描述</translation>
    </message>
    <message>
        <source>no home</source>
        <translation>没有住处</translation>
    </message>
    <message>
        <source>no birthday</source>
        <translation>没有生日</translation>
    </message>
</context>
<context>
    <name>Graph</name>
    <message>
        <source>Characters</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>地点</translation>
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
        <translation>其他</translation>
    </message>
    <message>
        <source>Character</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>地点</translation>
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
        <translation>其他</translation>
    </message>
</context>
<context>
    <name>GraphExport</name>
    <message>
        <source>Save as a picture (PNG)…</source>
        <translation>保存为图片（PNG）…</translation>
    </message>
    <message>
        <source>Save as a drawing (SVG)…</source>
        <translation>保存为矢量图（SVG）…</translation>
    </message>
    <message>
        <source>Save the whole graph as GraphML…</source>
        <translation>整个图谱保存为 GraphML…</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Drawing (*.svg)</source>
        <translation>矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>GraphML (*.graphml)</source>
        <translation>GraphML (*.graphml)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
</context>
<context>
    <name>GraphFiles</name>
    <message>
        <source>Exporting</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>“{name}” was written</source>
        <translation>已写入“{name}”</translation>
    </message>
</context>
<context>
    <name>GraphFilters</name>
    <message>
        <source>Hops from the centre</source>
        <translation>离中心的跳数</translation>
    </message>
    <message>
        <source>Hops</source>
        <translation>跳数</translation>
    </message>
    <message>
        <source>Entities shown at most</source>
        <translation>最多显示的实体</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>Relations at least</source>
        <translation>关系至少</translation>
    </message>
    <message>
        <source>Only this relation</source>
        <translation>只看这种关系</translation>
    </message>
    <message>
        <source>Only</source>
        <translation>只看</translation>
    </message>
    <message>
        <source>What is missing</source>
        <translation>缺少什么</translation>
    </message>
    <message>
        <source>Looked for in profiles, relations, archived events, the newest {count} messages.</source>
        <translation>在档案、关系、已归档的事件和最新 {count} 楼中查找。</translation>
    </message>
    <message>
        <source>every entity</source>
        <translation>全部实体</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>every relation</source>
        <translation>全部关系</translation>
    </message>
</context>
<context>
    <name>GraphList</name>
    <message>
        <source>Entities and their relations</source>
        <translation>实体及其关系</translation>
    </message>
</context>
<context>
    <name>GraphMenus</name>
    <message>
        <source>Details</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>Show all of it large</source>
        <translation>放大查看全部</translation>
    </message>
    <message>
        <source>Put in the centre</source>
        <translation>放到中心</translation>
    </message>
    <message>
        <source>Path from {name}</source>
        <translation>从{name}到这里的路径</translation>
    </message>
    <message>
        <source>Add a relation…</source>
        <translation>添加关系…</translation>
    </message>
    <message>
        <source>Merge into…</source>
        <translation>合并到…</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>谁知道这件事…</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>解锁</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁定</translation>
    </message>
    <message>
        <source>Hide from the graph</source>
        <translation>从图谱中隐藏</translation>
    </message>
    <message>
        <source>{one} and {other} are mentioned together</source>
        <translation>{one}与{other}在同一事件中出现</translation>
    </message>
    <message>
        <source>Read the floors that state it</source>
        <translation>看原文</translation>
    </message>
    <message>
        <source>Reword…</source>
        <translation>改写…</translation>
    </message>
    <message>
        <source>It ended…</source>
        <translation>已经结束…</translation>
    </message>
    <message>
        <source>Still true</source>
        <translation>仍然成立</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Fit everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Fit what is selected</source>
        <translation>显示所选</translation>
    </message>
    <message>
        <source>Back to the most connected entity</source>
        <translation>回到关联最多的实体</translation>
    </message>
</context>
<context>
    <name>GraphPage</name>
    <message>
        <source>Graph; the list beside it has the same content</source>
        <translation>图谱；旁边的列表内容相同</translation>
    </message>
    <message>
        <source>Possible duplicates</source>
        <translation>疑似同一个</translation>
    </message>
    <message>
        <source>Hide the path</source>
        <translation>收起路径</translation>
    </message>
    <message>
        <source>Fit everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Fit the selection</source>
        <translation>缩放到所选</translation>
    </message>
    <message>
        <source>Possible duplicates ({count})</source>
        <translation>疑似同一个（{count}）</translation>
    </message>
    <message>
        <source>Update profiles with the model</source>
        <translation>请模型更新档案</translation>
    </message>
    <message>
        <source>Look for duplicates</source>
        <translation>查找重复的实体</translation>
    </message>
    <message>
        <source>Hidden entities</source>
        <translation>已隐藏的实体</translation>
    </message>
    <message>
        <source>Show {name} again</source>
        <translation>重新显示“{name}”</translation>
    </message>
    <message>
        <source>Showing {shown} of {total} entities: the best connected ones. Fewer hops, or another centre, show the rest.</source>
        <translation>已截断：显示 {total} 个实体中联系最多的 {shown} 个。减少跳数或换个中心可查看其余。</translation>
    </message>
    <message numerus="yes">
        <source>%n entity(ies) filtered out.</source>
        <translation>
            <numerusform>筛掉了 %n 个实体。</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop the layout</source>
        <translation>停止排列</translation>
    </message>
    <message>
        <source>Go on with the layout</source>
        <translation>继续排列</translation>
    </message>
    <message>
        <source>Lay out again</source>
        <translation>重新排列</translation>
    </message>
    <message>
        <source>Nothing links {one} and {other}.</source>
        <translation>{one}与{other}之间没有任何联系。</translation>
    </message>
    <message>
        <source>Merge “{name}” into “{other}”?</source>
        <translation>把“{name}”合并到“{other}”？</translation>
    </message>
    <message>
        <source>“{other}” exists already. Merge “{name}” into it?</source>
        <translation>已有“{other}”。要把“{name}”合并进去吗？</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Its names, events and relations move over. Undo takes it back.</source>
        <translation>它的名字、事件和关系都会并过去，可以撤销。</translation>
    </message>
</context>
<context>
    <name>GraphPageModel</name>
    <message>
        <source>Saving the layout</source>
        <translation>保存布局</translation>
    </message>
</context>
<context>
    <name>GraphRows</name>
    <message>
        <source>This was so before</source>
        <translation>以前如此</translation>
    </message>
</context>
<context>
    <name>GraphTools</name>
    <message>
        <source>Find an entity</source>
        <translation>查找实体</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Show fewer nodes and lines</source>
        <translation>只显示一部分节点和连线</translation>
    </message>
    <message>
        <source>Write on lines what they say</source>
        <translation>在连线上写出关系</translation>
    </message>
    <message>
        <source>Line labels</source>
        <translation>关系名</translation>
    </message>
    <message>
        <source>Only selected</source>
        <translation>只看所选</translation>
    </message>
    <message>
        <source>Hide the lines of all that is not selected</source>
        <translation>隐藏未选中实体的连线</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Show the list beside the graph</source>
        <translation>在图旁显示列表</translation>
    </message>
    <message>
        <source>Possible duplicates</source>
        <translation>疑似同一个</translation>
    </message>
    <message>
        <source>Entities that may be one and the same</source>
        <translation>可能是同一个的实体</translation>
    </message>
    <message>
        <source>Back to the most connected entity</source>
        <translation>回到关联最多的实体</translation>
    </message>
    <message>
        <source>Lay out again</source>
        <translation>重新排列</translation>
    </message>
    <message>
        <source>Fit everything (Ctrl+0)</source>
        <translation>显示全部（Ctrl+0）</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
</context>
<context>
    <name>GroupList</name>
    <message>
        <source>Saying who is of a group</source>
        <translation>保存谁属于群体</translation>
    </message>
</context>
<context>
    <name>GroupsDialog</name>
    <message>
        <source>Groups</source>
        <translation>群体</translation>
    </message>
    <message>
        <source>From joining on, members know what their group knows, and what it knew before. Those who leave keep that, and learn nothing later. What a group knows is said under “Who knows this”.</source>
        <translation>成员从加入那一楼起，知道群体所知道的，包括以前的秘密。离开的人保留已经知道的，此后的不再得知。群体知道什么，在“谁知道这件事”里说明。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>谁</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>群体</translation>
    </message>
    <message>
        <source>at floor</source>
        <translation>在第几楼</translation>
    </message>
    <message>
        <source>Joins</source>
        <translation>加入</translation>
    </message>
    <message>
        <source>Leaves</source>
        <translation>离开</translation>
    </message>
    <message>
        <source>Nobody is in a group yet.</source>
        <translation>还没有人属于任何群体。</translation>
    </message>
    <message>
        <source>of {group} since floor {joined}</source>
        <translation>自第 {joined} 楼起属于{group}</translation>
    </message>
    <message>
        <source>of {group} from floor {joined} until floor {left}</source>
        <translation>第 {joined} 楼加入{group}，第 {left} 楼离开</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>收回</translation>
    </message>
</context>
<context>
    <name>Guide</name>
    <message>
        <source>Saving a setting</source>
        <translation>保存设置</translation>
    </message>
</context>
<context>
    <name>GuidePage</name>
    <message>
        <source>Skip all this</source>
        <translation>全部跳过</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Step {number} of {count}</source>
        <translation>第 {number} 步，共 {count} 步</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
</context>
<context>
    <name>HealthDialog</name>
    <message>
        <source>Library health</source>
        <translation>资料库健康</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>Restore…</source>
        <translation>恢复…</translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation>立即备份</translation>
    </message>
    <message>
        <source>Rebuild the index</source>
        <translation>重建索引</translation>
    </message>
    <message>
        <source>Safe: vectors and index of “{chat}” are made again from what is stored.</source>
        <translation>安全操作：根据已存内容重新生成“{chat}”的向量和索引。</translation>
    </message>
    <message>
        <source>Open a chat first: each has an index of its own.</source>
        <translation>请先打开一个聊天：每个聊天各有自己的索引。</translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) cannot be repaired. The newest backup that holds a damaged chat can give it back; everything else stays as it is now. The window opens again by itself.</source>
        <translation>
            <numerusform>有 %n 项无法修复。损坏的聊天可以从保存着它的最新备份中取回，其余一切保持现状。窗口会自动重新打开。</numerusform>
        </translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{finding} (repaired)</source>
        <translation>{finding}（已修复）</translation>
    </message>
    <message>
        <source>Take from a backup</source>
        <translation>从备份取回</translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) need attention.</source>
        <translation>
            <numerusform>有 %n 项需要处理。</numerusform>
        </translation>
    </message>
    <message>
        <source>Everything is in order.</source>
        <translation>一切正常。</translation>
    </message>
</context>
<context>
    <name>HelpDialog</name>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Search the guide</source>
        <translation>在指南中搜索</translation>
    </message>
    <message>
        <source>Chapters</source>
        <translation>章节</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>指南</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>读取中…</translation>
    </message>
    <message>
        <source>All keys…</source>
        <translation>所有快捷键…</translation>
    </message>
    <message>
        <source>About Engram</source>
        <translation>关于 Engram</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s)</source>
        <translation>
            <numerusform>%n 处</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HistoryDialog</name>
    <message>
        <source>History of this chat</source>
        <translation>本聊天的历史记录</translation>
    </message>
    <message>
        <source>History of the library</source>
        <translation>资料库的历史记录</translation>
    </message>
    <message>
        <source>What was done to world books, characters, regex scripts and prompts. Chats have a history each; settings have none.</source>
        <translation>对世界书、角色、正则脚本和提示词做过的事。每个聊天另有自己的历史记录；设置没有历史记录。</translation>
    </message>
    <message>
        <source>Undo the newest step</source>
        <translation>撤销最近一步</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Nothing was done yet.</source>
        <translation>还没有做过任何更改。</translation>
    </message>
</context>
<context>
    <name>HitCard</name>
    <message>
        <source>This answers it (for the lab)</source>
        <translation>这条答对了（供实验室用）</translation>
    </message>
    <message>
        <source>Show its lines in the text</source>
        <translation>到原文看这几楼</translation>
    </message>
    <message>
        <source>Do not use again</source>
        <translation>不要再用</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>不会使用</translation>
    </message>
    <message>
        <source>Found by {legs}</source>
        <translation>命中 {legs}</translation>
    </message>
    <message>
        <source>Matched {words}</source>
        <translation>匹配 {words}</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message numerus="yes">
        <source>Import %n file(s)</source>
        <translation>
            <numerusform>导入 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>The files themselves are only read, never changed.</source>
        <translation>只读取文件，绝不改动它们。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
</context>
<context>
    <name>ImportPlan</name>
    <message>
        <source>Importing {name}</source>
        <translation>导入 {name}</translation>
    </message>
    <message>
        <source>Importing {name} was stopped. What had come in is kept.</source>
        <translation>导入 {name} 已停止。已读入的内容保留。</translation>
    </message>
    <message>
        <source>Imported again it goes on from there.</source>
        <translation>再次导入会从那里继续。</translation>
    </message>
    <message>
        <source>Go on…</source>
        <translation>继续…</translation>
    </message>
    <message>
        <source>Leave it so</source>
        <translation>就这样保留</translation>
    </message>
    <message>
        <source>Import it again</source>
        <translation>重新导入</translation>
    </message>
    <message>
        <source>Opening the demo</source>
        <translation>打开示例</translation>
    </message>
    <message>
        <source>These are memories of a chat. Open or import the chat first.</source>
        <translation>这是某个聊天的记忆。请先打开或导入那个聊天。</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) added</source>
        <translation>
            <numerusform>新增 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>“{name}”: nothing new</source>
        <translation>“{name}”：没有新内容</translation>
    </message>
    <message numerus="yes">
        <source>{added}; %n line(s) could not be read</source>
        <translation>
            <numerusform>{added}；%n 行无法读取</numerusform>
        </translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation>生成摘要…</translation>
    </message>
    <message>
        <source>Show the branch</source>
        <translation>显示这个分支</translation>
    </message>
    <message>
        <source>Memories of other tools were found: {tools}</source>
        <translation>发现了其他工具的记忆：{tools}</translation>
    </message>
    <message>
        <source>Look at them…</source>
        <translation>查看…</translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s) added</source>
        <translation>
            <numerusform>已添加 %n 条正则脚本</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“{name}” is in the library: %n world book entry(ies) added</source>
        <translation>
            <numerusform>“{name}”已存入资料库：新增 %n 个世界书条目</numerusform>
        </translation>
    </message>
    <message>
        <source>“{name}” is in the library already</source>
        <translation>“{name}”已在资料库中</translation>
    </message>
</context>
<context>
    <name>Inbox</name>
    <message>
        <source>Failed block</source>
        <translation>失败区块</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Contradiction</source>
        <translation>矛盾</translation>
    </message>
    <message>
        <source>Promise due</source>
        <translation>到期承诺</translation>
    </message>
    <message>
        <source>Doubtful</source>
        <translation>存疑</translation>
    </message>
    <message>
        <source>Stale</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>Same entity?</source>
        <translation>疑似同一实体</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>The model&apos;s answer could not be used. Ask again, or mend it by hand?</source>
        <translation>模型的回答没法用。再问一次，还是手动修好？</translation>
    </message>
    <message>
        <source>A model proposes these events. Shall they be remembered?</source>
        <translation>模型拟了这些事件。要记住吗？</translation>
    </message>
    <message>
        <source>Both cannot be so, and nothing between them changed it. Which is true?</source>
        <translation>两句不可能都成立，中间也没有发生变化。哪一句为真？</translation>
    </message>
    <message>
        <source>What it waited for has come up since. Was it kept?</source>
        <translation>所等的事后来已经提到。兑现了吗？</translation>
    </message>
    <message>
        <source>No line of its floors bears these sentences out. Is the event right?</source>
        <translation>所在楼层没有哪一行支持这些句子。这个事件对吗？</translation>
    </message>
    <message>
        <source>What it was made of has changed. Is it still right?</source>
        <translation>它所依据的内容变过了。现在还对吗？</translation>
    </message>
    <message>
        <source>Are these two one and the same?</source>
        <translation>这两个是同一个吗？</translation>
    </message>
    <message>
        <source>These events say the same. Shall they become one?</source>
        <translation>这些事件说的是同一件事。合成一个吗？</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>再问一次</translation>
    </message>
    <message>
        <source>Save as drafted</source>
        <translation>按草稿保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>The later is true</source>
        <translation>后一句是真的</translation>
    </message>
    <message>
        <source>It was kept</source>
        <translation>已兑现</translation>
    </message>
    <message>
        <source>It is right</source>
        <translation>没有错</translation>
    </message>
    <message>
        <source>Still right</source>
        <translation>仍然对</translation>
    </message>
    <message>
        <source>Merge the two</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>They are two</source>
        <translation>是两个</translation>
    </message>
    <message>
        <source>Join into one</source>
        <translation>合成一个</translation>
    </message>
    <message>
        <source>Not the same</source>
        <translation>不是同一件事</translation>
    </message>
    <message>
        <source>Put away</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>稍后</translation>
    </message>
</context>
<context>
    <name>InboxDetail</name>
    <message>
        <source>What these floors say now</source>
        <translation>这些楼层现在的原文</translation>
    </message>
    <message>
        <source>What brings it up</source>
        <translation>因此提起</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>修改…</translation>
    </message>
    <message>
        <source>Key {key}</source>
        <translation>按键 {key}</translation>
    </message>
    <message>
        <source>It comes back when it changes.</source>
        <translation>有变化时会再出现。</translation>
    </message>
    <message>
        <source>It comes back in {hours} hours, or when it changes.</source>
        <translation>{hours} 小时后，或有变化时，会再出现。</translation>
    </message>
    <message>
        <source>J and K move, Ctrl+Z undoes.</source>
        <translation>J、K 上下移动，Ctrl+Z 撤销。</translation>
    </message>
</context>
<context>
    <name>InboxList</name>
    <message>
        <source>Asking again</source>
        <translation>正在再问一次</translation>
    </message>
</context>
<context>
    <name>InboxPage</name>
    <message>
        <source>Sentences of the newest {n} events that a model wrote are looked up.</source>
        <translation>只核对模型写的最新 {n} 个事件里的句子。</translation>
    </message>
    <message>
        <source>What waits for a decision</source>
        <translation>等待决定的事</translation>
    </message>
    <message numerus="yes">
        <source>%n more follow as these are decided.</source>
        <translation>
            <numerusform>处理完这些，还有 %n 项。</numerusform>
        </translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>待定</translation>
    </message>
    <message>
        <source>Put off {n}</source>
        <translation>已推迟 {n}</translation>
    </message>
    <message>
        <source>Only you decide</source>
        <translation>只由您决定</translation>
    </message>
    <message>
        <source>You see the chat as {name}. See everything to decide what waits.</source>
        <translation>现在是以{name}的视角查看。切回全部内容才能处理待办。</translation>
    </message>
    <message>
        <source>All done</source>
        <translation>全部处理完了</translation>
    </message>
    <message>
        <source>Nothing waits for a decision. Drafts, failed blocks, contradictions, promises that are due, doubtful and stale memories, and what may be there twice come here.</source>
        <translation>没有等待决定的事。草稿、失败的区块、矛盾、到期的承诺、存疑和已过期的记忆，以及可能重复的内容，都会出现在这里。</translation>
    </message>
    <message>
        <source>Show what was put off</source>
        <translation>查看已推迟的</translation>
    </message>
</context>
<context>
    <name>InjectionPanel</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>What a prompt would get</source>
        <translation>将注入的内容</translation>
    </message>
    <message>
        <source>The text that a model gets with this question, as soon as you ask.</source>
        <translation>提问后，这里显示模型会随这个问题得到的文字。</translation>
    </message>
    <message>
        <source>Freeze</source>
        <translation>保持不变</translation>
    </message>
    <message>
        <source>Give this very text for some turns, so that the server&apos;s prompt cache stays good. It ends early if a memory in it is changed.</source>
        <translation>接下来若干轮都给出这段原文，让服务器的提示词缓存继续有效。其中的记忆一旦改动，就提前结束。</translation>
    </message>
    <message numerus="yes">
        <source>For %n turn(s)</source>
        <translation>
            <numerusform>保持 %n 轮</numerusform>
        </translation>
    </message>
    <message>
        <source>Compose again from now on</source>
        <translation>从现在起重新生成</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n 个 token</numerusform>
        </translation>
    </message>
    <message>
        <source>Frozen until floor {floor}.</source>
        <translation>到第 {floor} 楼之前保持不变。</translation>
    </message>
    <message>
        <source>How much is needed could not be asked: {why}</source>
        <translation>没能问出需要多少记忆：{why}</translation>
    </message>
    <message>
        <source>A small gesture: only what is always visible.</source>
        <translation>日常小互动：只给常驻内容。</translation>
    </message>
    <message>
        <source>Ordinary talk: what is recalled, as usual.</source>
        <translation>普通交谈：照常召回。</translation>
    </message>
    <message>
        <source>A turning point: what is recalled, and world books.</source>
        <translation>关键剧情：召回，并加上世界书。</translation>
    </message>
</context>
<context>
    <name>ItemList</name>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n 个条目</numerusform>
        </translation>
    </message>
    <message>
        <source>for every chat</source>
        <translation>用于所有聊天</translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s)</source>
        <translation>
            <numerusform>%n 个正则脚本</numerusform>
        </translation>
    </message>
    <message>
        <source>on</source>
        <translation>启用</translation>
    </message>
    <message>
        <source>off</source>
        <translation>停用</translation>
    </message>
    <message>
        <source>no description</source>
        <translation>没有描述</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
</context>
<context>
    <name>JobList</name>
    <message>
        <source>messages</source>
        <translation>条消息</translation>
    </message>
    <message>
        <source>memories indexed</source>
        <translation>条记忆已建索引</translation>
    </message>
    <message>
        <source>floors read</source>
        <translation>楼已读</translation>
    </message>
    <message>
        <source>blocks summarised</source>
        <translation>个区块已摘要</translation>
    </message>
    <message>
        <source>blocks read again</source>
        <translation>个区块已回顾</translation>
    </message>
    <message>
        <source>events merged</source>
        <translation>条事件已合并</translation>
    </message>
    <message>
        <source>events archived</source>
        <translation>条事件已归档</translation>
    </message>
    <message>
        <source>events linked</source>
        <translation>条事件已接入图谱</translation>
    </message>
    <message>
        <source>events read</source>
        <translation>条事件已读</translation>
    </message>
    <message>
        <source>events</source>
        <translation>条事件</translation>
    </message>
    <message>
        <source>memories</source>
        <translation>条记忆</translation>
    </message>
    <message>
        <source>drafts</source>
        <translation>份草稿</translation>
    </message>
    <message>
        <source>questions</source>
        <translation>个问题</translation>
    </message>
    <message>
        <source>chats</source>
        <translation>个聊天</translation>
    </message>
    <message>
        <source>files</source>
        <translation>个文件</translation>
    </message>
    <message>
        <source>written</source>
        <translation>已写出</translation>
    </message>
    <message numerus="yes">
        <source>about %n second(s) left</source>
        <translation>
            <numerusform>约剩 %n 秒</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation>
            <numerusform>约剩 %n 分钟</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeptStrip</name>
    <message>
        <source>Sync now</source>
        <translation>立即同步</translation>
    </message>
    <message>
        <source>Stop keeping it in sync; the file stays</source>
        <translation>停止同步；文件会保留</translation>
    </message>
    <message>
        <source>Merge…</source>
        <translation>合并…</translation>
    </message>
    <message>
        <source>Shows both sides of each entry that was changed there</source>
        <translation>逐条对照显示那边改过的条目</translation>
    </message>
    <message>
        <source>Keep a new file…</source>
        <translation>改用新文件…</translation>
    </message>
    <message>
        <source>Writes this chat&apos;s memory to a new file; this one stays</source>
        <translation>把这段聊天的记忆写到一个新文件；这个文件保持原样</translation>
    </message>
    <message>
        <source>Take its changes as a book</source>
        <translation>把改动收为世界书</translation>
    </message>
    <message>
        <source>Imports the file as a world book of its own</source>
        <translation>把这个文件导入为一本单独的世界书</translation>
    </message>
    <message>
        <source>{file} is not in sync. {why}</source>
        <translation>{file} 未同步。{why}</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n 个条目</numerusform>
        </translation>
    </message>
    <message>
        <source>Kept in sync with {file} · {count} · written {time}</source>
        <translation>与 {file} 保持同步 · {count} · 写于 {time}</translation>
    </message>
</context>
<context>
    <name>KeyMap</name>
    <message>
        <source>Press a key first.</source>
        <translation>请先按下一个键。</translation>
    </message>
    <message>
        <source>Ctrl, Alt or a function key belongs to it: other keys type.</source>
        <translation>须带 Ctrl 或 Alt，或用功能键：别的键是用来打字的。</translation>
    </message>
</context>
<context>
    <name>KeysDialog</name>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Search keys and actions</source>
        <translation>搜索快捷键和操作</translation>
    </message>
    <message>
        <source>Always so: Space toggles a lamp, Del deletes, Ctrl+A selects all, Esc clears or closes. Keys of a page are listed once it was shown.</source>
        <translation>固定不变：空格切换灯，Del 删除，Ctrl+A 全选，Esc 清除或关闭。某页自己的快捷键，打开过该页后才列出。</translation>
    </message>
    <message>
        <source>Restore all defaults</source>
        <translation>全部恢复默认</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Actions and their keys</source>
        <translation>操作及其快捷键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>New key</source>
        <translation>新快捷键</translation>
    </message>
    <message>
        <source>Use this key</source>
        <translation>使用此键</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>不设快捷键</translation>
    </message>
    <message>
        <source>Restore default</source>
        <translation>恢复默认</translation>
    </message>
    <message>
        <source>Page: {name}</source>
        <translation>页面：{name}</translation>
    </message>
    <message>
        <source>Changed by you</source>
        <translation>您改过</translation>
    </message>
    <message>
        <source>{key} is the key of “{names}”. “Use this key” takes it from there.</source>
        <translation>{key} 已用于“{names}”。点“使用此键”就从那里拿走。</translation>
    </message>
</context>
<context>
    <name>LabPage</name>
    <message>
        <source>How well is it remembered?</source>
        <translation>记得有多准？</translation>
    </message>
    <message>
        <source>Ask a question, tick the memories that answer it, and save them here. Then two ways to recall can be compared on all of them, and what stands in their prompts.</source>
        <translation>先提一个问题，勾选能回答它的记忆，保存到这里；然后就能用这些问题比较两种召回方式，或查看各自的提示词里有什么。</translation>
    </message>
    <message>
        <source>Two ways to recall</source>
        <translation>两种召回方式</translation>
    </message>
    <message>
        <source>In the prompt</source>
        <translation>提示词里有没有</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Look into the prompts</source>
        <translation>查看提示词</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>How many questions were asked</source>
        <translation>已问了多少个问题</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>再问一次</translation>
    </message>
    <message>
        <source>See its hits, and tick other memories</source>
        <translation>查看它召回了什么，重新勾选</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>in the prompt</source>
        <translation>在提示词里</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>没找到</translation>
    </message>
    <message>
        <source>place {rank} ({legs})</source>
        <translation>第 {rank} 名（{legs}）</translation>
    </message>
</context>
<context>
    <name>LaneView</name>
    <message>
        <source>Threads over the floors</source>
        <translation>各楼层上的伏笔</translation>
    </message>
    <message>
        <source>{who}: {text} ({status}, floors {floors})</source>
        <translation>{who}：{text}（{status}，第 {floors} 楼）</translation>
    </message>
</context>
<context>
    <name>LargeEditor</name>
    <message>
        <source>Edit the entry</source>
        <translation>编辑条目</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{words} words · {characters} characters · about {tokens} tokens</source>
        <translation>{words} 词 · {characters} 字符 · 约 {tokens} tokens</translation>
    </message>
    <message>
        <source>{share} % of the budget</source>
        <translation>占预算的 {share} %</translation>
    </message>
</context>
<context>
    <name>LibraryFinder</name>
    <message>
        <source>Chats</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Entities</source>
        <translation>实体</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Private logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Private notes</source>
        <translation>私人备注</translation>
    </message>
    <message>
        <source>World books</source>
        <translation>世界书</translation>
    </message>
    <message>
        <source>about {count}</source>
        <translation>约 {count}</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>再看 %n 条</numerusform>
        </translation>
    </message>
    <message>
        <source>Only what {name} knows of this chat</source>
        <translation>只搜这个聊天里{name}知道的</translation>
    </message>
    <message>
        <source>Nothing was found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>No filter, searched as words: {words}</source>
        <translation>不是筛选条件，按普通词搜索：{words}</translation>
    </message>
    <message>
        <source>Cannot be opened: {names}</source>
        <translation>打不开：{names}</translation>
    </message>
    <message>
        <source>Saved searches</source>
        <translation>保存的搜索</translation>
    </message>
    <message>
        <source>Recent searches</source>
        <translation>最近的搜索</translation>
    </message>
    <message>
        <source>Chats, entities, events, messages, private logs and notes, world books</source>
        <translation>聊天、实体、事件、原文、日志、私人备注和世界书</translation>
    </message>
    <message>
        <source>Always in context</source>
        <translation>常驻</translation>
    </message>
    <message>
        <source>In context when recalled</source>
        <translation>触发</translation>
    </message>
    <message>
        <source>Stale</source>
        <translation>过期</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>已锁定</translation>
    </message>
</context>
<context>
    <name>LibraryHealth</name>
    <message numerus="yes">
        <source>%n thing(s) in the library need attention.</source>
        <translation>
            <numerusform>资料库中有 %n 处需要处理。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Opening the library repaired %n thing(s).</source>
        <translation>
            <numerusform>打开资料库时修复了 %n 处。</numerusform>
        </translation>
    </message>
    <message>
        <source>Library health…</source>
        <translation>资料库健康…</translation>
    </message>
    <message>
        <source>Repairing the library</source>
        <translation>修复资料库</translation>
    </message>
    <message>
        <source>Taking back what is damaged</source>
        <translation>正在取回损坏的内容</translation>
    </message>
    <message>
        <source>Rebuilding the index of “{chat}”</source>
        <translation>正在重建“{chat}”的索引</translation>
    </message>
    <message>
        <source>The index of “{chat}” is rebuilt.</source>
        <translation>“{chat}”的索引已重建。</translation>
    </message>
    <message>
        <source>Checking the library</source>
        <translation>检查资料库</translation>
    </message>
    <message>
        <source>Backing up</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Restoring {file}</source>
        <translation>正在恢复 {file}</translation>
    </message>
    <message>
        <source>Backed up to {file} before the repair</source>
        <translation>修复前已备份到 {file}</translation>
    </message>
    <message>
        <source>Backed up to {file}</source>
        <translation>已备份到 {file}</translation>
    </message>
</context>
<context>
    <name>LibraryMenu</name>
    <message>
        <source>Show its folder</source>
        <translation>打开所在文件夹</translation>
    </message>
    <message>
        <source>Move it to another folder…</source>
        <translation>移到别的文件夹…</translation>
    </message>
    <message>
        <source>Open or begin another library…</source>
        <translation>打开或新建另一个资料库…</translation>
    </message>
    <message>
        <source>First steps…</source>
        <translation>新手引导…</translation>
    </message>
    <message>
        <source>Leave safe mode</source>
        <translation>退出安全模式</translation>
    </message>
    <message>
        <source>Restart in safe mode</source>
        <translation>以安全模式重新启动</translation>
    </message>
    <message>
        <source>{path} (not there)</source>
        <translation>{path}（不在）</translation>
    </message>
    <message>
        <source>Where the library shall lie</source>
        <translation>资料库要放在哪里</translation>
    </message>
    <message>
        <source>Folder of a library</source>
        <translation>资料库的文件夹</translation>
    </message>
</context>
<context>
    <name>LinesStrip</name>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Take the mark away</source>
        <translation>去掉标记</translation>
    </message>
    <message>
        <source>Back to {page}</source>
        <translation>返回{page}</translation>
    </message>
    <message>
        <source>{floors}, asked for on {page}</source>
        <translation>{floors}（来自{page}）</translation>
    </message>
</context>
<context>
    <name>LogCard</name>
    <message>
        <source>Stale</source>
        <translation>过期</translation>
    </message>
</context>
<context>
    <name>LogDialog</name>
    <message>
        <source>Write a private log</source>
        <translation>写一条私有日志</translation>
    </message>
    <message>
        <source>Whose it is</source>
        <translation>谁的日志</translation>
    </message>
    <message>
        <source>What was thought or felt</source>
        <translation>心里的想法或感受</translation>
    </message>
    <message>
        <source>For example: I watched the penguins all day. I want to go again with him.</source>
        <translation>例如：看了一天企鹅。还想再和他去一次。</translation>
    </message>
    <message>
        <source>Emotions</source>
        <translation>情绪</translation>
    </message>
    <message>
        <source>Floors it covers</source>
        <translation>讲的是哪些楼层</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
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
        <translation>只有本人</translation>
    </message>
    <message>
        <source>Those who were there</source>
        <translation>在场的人</translation>
    </message>
    <message>
        <source>Everybody</source>
        <translation>所有人</translation>
    </message>
    <message>
        <source>When a condition holds</source>
        <translation>满足条件时</translation>
    </message>
    <message>
        <source>Saving a private log</source>
        <translation>正在保存私有日志</translation>
    </message>
    <message>
        <source>Adding a private log</source>
        <translation>正在添加私有日志</translation>
    </message>
    <message numerus="yes">
        <source>Deleting %n private log(s)</source>
        <translation>
            <numerusform>正在删除 %n 条私有日志</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n private log(s) deleted</source>
        <translation>
            <numerusform>已删除 %n 条日志</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LogListModel</name>
    <message>
        <source>Stale</source>
        <translation>过期</translation>
    </message>
</context>
<context>
    <name>LogPage</name>
    <message>
        <source>Search private logs</source>
        <translation>搜索私有日志</translation>
    </message>
    <message>
        <source>Look back…</source>
        <translation>回顾…</translation>
    </message>
    <message>
        <source>Let a model note what characters keep to themselves, and what was missed</source>
        <translation>让模型记下角色藏在心里的话，并补上遗漏的事件</translation>
    </message>
    <message>
        <source>Write…</source>
        <translation>写一条…</translation>
    </message>
    <message>
        <source>Private logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>No private log matches</source>
        <translation>没有符合的日志</translation>
    </message>
    <message>
        <source>Try fewer words, or everybody.</source>
        <translation>少写几个字，或查看所有人的。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>No private logs yet</source>
        <translation>还没有私有日志</translation>
    </message>
    <message>
        <source>What a character felt or thought and told nobody. Only that character recalls it; you see everything.</source>
        <translation>角色没有说出口的感受和想法。只有角色本人会想起它；你能看到全部。</translation>
    </message>
    <message>
        <source>Write one…</source>
        <translation>写一条…</translation>
    </message>
    <message>
        <source>All {n}</source>
        <translation>全部 {n}</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>谁知道这件事…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>LogPanel</name>
    <message>
        <source>No entry selected</source>
        <translation>未选择日志</translation>
    </message>
    <message>
        <source>Select an entry to read and correct it, or write a new one.</source>
        <translation>选择一条日志来阅读和修改，或写一条新的。</translation>
    </message>
    <message>
        <source>Whose it is</source>
        <translation>谁的日志</translation>
    </message>
    <message>
        <source>What was thought or felt</source>
        <translation>心里的想法或感受</translation>
    </message>
    <message>
        <source>Emotions</source>
        <translation>情绪</translation>
    </message>
    <message>
        <source>Who may know it</source>
        <translation>谁可以知道</translation>
    </message>
    <message>
        <source>Only while this holds</source>
        <translation>仅在此条件成立时</translation>
    </message>
    <message>
        <source>Floors it covers</source>
        <translation>讲的是哪些楼层</translation>
    </message>
    <message>
        <source>Read these floors</source>
        <translation>查看这些楼层</translation>
    </message>
    <message>
        <source>Private log</source>
        <translation>私有日志</translation>
    </message>
    <message>
        <source>Delete this entry</source>
        <translation>删除这条日志</translation>
    </message>
    <message>
        <source>{floors} · stale: its messages changed</source>
        <translation>{floors} · 已过期：消息有改动</translation>
    </message>
</context>
<context>
    <name>LookStep</name>
    <message>
        <source>Welcome to Engram</source>
        <translation>欢迎使用 Engram</translation>
    </message>
    <message>
        <source>A few steps, each of which can be skipped. All of it is in the settings too.</source>
        <translation>几个小步骤，每一步都可以跳过；这些在设置里也都能找到。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>History…</source>
        <translation>历史记录…</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Chats, cards and books (*.jsonl *.json *.png *.charx *.lorebook);;All files (*)</source>
        <translation>聊天、角色卡与世界书 (*.jsonl *.json *.png *.charx *.lorebook);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>MakeVolumeDialog</name>
    <message>
        <source>Make a volume of “{chat}”</source>
        <translation>用“{chat}”制作记忆册</translation>
    </message>
    <message>
        <source>A volume holds what this chat remembers, with who knows it. Other chats read it as their earlier story; this chat stays as it is. Of a text of more than {most} characters the beginning is taken.</source>
        <translation>记忆册收录本聊天记得的内容，以及谁知道这些。其他聊天把它当作之前的故事来读；本聊天保持不变。超过 {most} 字的文本只取开头。</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Title of the volume</source>
        <translation>记忆册的标题</translation>
    </message>
    <message>
        <source>Take along</source>
        <translation>收进哪些</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Make the volume</source>
        <translation>制作记忆册</translation>
    </message>
    <message>
        <source>This chat remembers nothing yet: summarise it first.</source>
        <translation>这个聊天还没有记忆：请先生成摘要。</translation>
    </message>
</context>
<context>
    <name>ManyPanel</name>
    <message>
        <source>What you change here changes in all of them, as one step.</source>
        <translation>这里的修改会应用到所选的每条事件，一步即可撤销。</translation>
    </message>
    <message>
        <source>Archived (green lamp)</source>
        <translation>已归档（绿灯）</translation>
    </message>
    <message>
        <source>Confirmed by you</source>
        <translation>你已确认</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>已锁定</translation>
    </message>
    <message>
        <source>Mixed: what is typed replaces it in all</source>
        <translation>各不相同：输入后全部替换</translation>
    </message>
    <message>
        <source>Story time</source>
        <translation>故事时间</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Mixed</source>
        <translation>各不相同</translation>
    </message>
    <message>
        <source>Significance</source>
        <translation>重要度</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>关键词</translation>
    </message>
    <message>
        <source>Add a keyword to all</source>
        <translation>给全部事件加关键词</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) selected</source>
        <translation>
            <numerusform>已选 %n 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them are locked: what they say stays.</source>
        <translation>
            <numerusform>其中 %n 条已锁定，内容不会改动。</numerusform>
        </translation>
    </message>
    <message>
        <source>{mark} · {n} of {all}</source>
        <translation>{mark} · {n}/{all}</translation>
    </message>
    <message>
        <source>Mixed: {low} to {high}</source>
        <translation>各不相同：{low} 至 {high}</translation>
    </message>
    <message>
        <source>Remove this keyword from all of them</source>
        <translation>从全部事件中移除这个关键词</translation>
    </message>
    <message>
        <source>None</source>
        <translation>不使用</translation>
    </message>
</context>
<context>
    <name>MemberRow</name>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n 个事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n 条消息</numerusform>
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
        <translation>查看这个事件</translation>
    </message>
    <message>
        <source>{mode} · order {order} · about {count} tokens</source>
        <translation>{mode} · 顺序 {order} · 约 {count} 个 token</translation>
    </message>
    <message>
        <source>Keywords: {keys}</source>
        <translation>关键词：{keys}</translation>
    </message>
    <message>
        <source>Made from an event: change it there, and this follows.</source>
        <translation>由事件生成：在事件里修改，这里随之更新。</translation>
    </message>
    <message>
        <source>Made from this chat&apos;s memory; it follows whenever that changes.</source>
        <translation>由本聊天的记忆生成，记忆变化时随之更新。</translation>
    </message>
</context>
<context>
    <name>MemoryFolders</name>
    <message>
        <source>Stopping to keep a folder</source>
        <translation>正在停止同步文件夹</translation>
    </message>
    <message>
        <source>Keeping a folder in step</source>
        <translation>正在同步文件夹</translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s) changed by files of {folder}</source>
        <translation>
            <numerusform>{folder} 里的文件改动了 %n 条记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) of {folder} wait for your choice</source>
        <translation>
            <numerusform>{folder} 里有 %n 个文件等您选择</numerusform>
        </translation>
    </message>
    <message>
        <source>See the chat&apos;s menu, Markdown folder.</source>
        <translation>见聊天菜单的“Markdown 文件夹”。</translation>
    </message>
</context>
<context>
    <name>MemoryMarks</name>
    <message>
        <source>Blue: always in context</source>
        <translation>蓝：常驻上下文</translation>
    </message>
    <message>
        <source>Green: archived, recalled</source>
        <translation>绿：已归档，触发时召回</translation>
    </message>
    <message>
        <source>Stale: its messages have changed</source>
        <translation>过时：所依据的消息已改动</translation>
    </message>
    <message>
        <source>Nothing is remembered of this</source>
        <translation>这里还没有记忆</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 条</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryShelf</name>
    <message>
        <source>Exporting</source>
        <translation>正在导出</translation>
    </message>
    <message>
        <source>Exporting what %1 knows</source>
        <translation>正在导出%1知道的内容</translation>
    </message>
    <message>
        <source>Keeping a world book in sync</source>
        <translation>开始同步世界书</translation>
    </message>
    <message>
        <source>Syncing a world book</source>
        <translation>同步世界书</translation>
    </message>
    <message>
        <source>Importing a world book</source>
        <translation>导入世界书</translation>
    </message>
    <message>
        <source>Stopping to sync a world book</source>
        <translation>停止同步世界书</translation>
    </message>
    <message numerus="yes">
        <source>World book of %n entry(ies) written</source>
        <translation>
            <numerusform>已写出含 %n 个条目的世界书</numerusform>
        </translation>
    </message>
    <message>
        <source>{file} is kept in sync with this chat&apos;s memory now</source>
        <translation>{file} 现在会随本聊天的记忆同步更新</translation>
    </message>
    <message>
        <source>Bind it to the character in SillyTavern. Reload SillyTavern&apos;s page to see later changes: an open page has its old copy, and what it saves has to be merged.</source>
        <translation>在 SillyTavern 里把它绑定到角色。之后的变化要刷新 SillyTavern 页面才看得到：打开着的页面里是旧内容，它保存的东西需要合并。</translation>
    </message>
    <message>
        <source>“{name}” is a world book of its own now</source>
        <translation>“{name}”已成为一本单独的世界书</translation>
    </message>
    <message>
        <source>The file is no longer kept in sync. To go on, keep this chat&apos;s memory in a new one.</source>
        <translation>这个文件不再同步。要继续同步，请把这段聊天的记忆写到一个新文件。</translation>
    </message>
    <message>
        <source>{file} is in sync</source>
        <translation>{file} 已同步</translation>
    </message>
    <message>
        <source>{file} is not in sync</source>
        <translation>{file} 未同步</translation>
    </message>
    <message>
        <source>{why} Both are on the page of world books.</source>
        <translation>{why}两者都在世界书页面上。</translation>
    </message>
</context>
<context>
    <name>MergeDialog</name>
    <message>
        <source>Merge “{name}” into…</source>
        <translation>把“{name}”合并到…</translation>
    </message>
    <message>
        <source>Its names, events and relations move over. Undo takes it back.</source>
        <translation>它的名字、事件和关系都会并过去，可以撤销。</translation>
    </message>
    <message>
        <source>The entity it is</source>
        <translation>它其实是哪个实体</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
</context>
<context>
    <name>MergeWorldbookDialog</name>
    <message>
        <source>Merge {file}</source>
        <translation>合并 {file}</translation>
    </message>
    <message>
        <source>The file is not what was written last: an open SillyTavern saved its own copy, or somebody edited it. Choose which side of each entry stays. What is taken from the file becomes part of the memory, as one step that can be undone; then the file is written again.</source>
        <translation>这个文件与上次写入的内容不同：可能是打开着的 SillyTavern 保存了它自己的旧内容，也可能有人修改过。请为每个条目选择保留哪一边。从文件收入的内容会成为记忆的一部分，作为一步操作可以撤销；之后会重新写入文件。</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>Changed entries</source>
        <translation>改过的条目</translation>
    </message>
    <message>
        <source>Keep the memory&apos;s</source>
        <translation>保留记忆的</translation>
    </message>
    <message>
        <source>Take the file&apos;s</source>
        <translation>采用文件的</translation>
    </message>
    <message>
        <source>All from the file</source>
        <translation>全部用文件的</translation>
    </message>
    <message>
        <source>All from the memory</source>
        <translation>全部用记忆的</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) changed in the file</source>
        <translation>
            <numerusform>文件中有 %n 个条目改过</numerusform>
        </translation>
    </message>
    <message>
        <source>No entry was changed there: an older copy was saved. Merging writes the file from the memory.</source>
        <translation>那边没有改过任何条目，只是保存了一份旧内容。合并会用记忆重新写入文件。</translation>
    </message>
    <message>
        <source>Settings of it were changed there too, such as its order or position. A memory has none: Engram sets them again.</source>
        <translation>那边还改了这个条目的设置，例如顺序或位置。记忆里没有这些，Engram 会重新设置。</translation>
    </message>
</context>
<context>
    <name>MessageBar</name>
    <message numerus="yes">
        <source>%n more message(s)…</source>
        <translation>
            <numerusform>还有 %n 条消息…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MessageRows</name>
    <message>
        <source>{name} perceived nothing of this.</source>
        <translation>{name}没有经历这一段。</translation>
    </message>
</context>
<context>
    <name>Messages</name>
    <message>
        <source>Library health…</source>
        <translation>资料库健康…</translation>
    </message>
</context>
<context>
    <name>MessagesDialog</name>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Nothing was said yet.</source>
        <translation>还没有消息。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>MiniMap</name>
    <message>
        <source>Overview: click to go there</source>
        <translation>缩略图：点击前往</translation>
    </message>
</context>
<context>
    <name>ModelStep</name>
    <message>
        <source>A model, or none</source>
        <translation>用模型，或不用</translation>
    </message>
    <message>
        <source>Without a model everything works and nothing is sent. With one, summaries, people and what binds them get richer.</source>
        <translation>不用模型也能使用全部功能，什么都不会发送。有模型时，摘要、人物和关系会更丰富。</translation>
    </message>
    <message>
        <source>A server elsewhere…</source>
        <translation>其他服务…</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Looking for servers on this computer…</source>
        <translation>正在查找本机上的服务…</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) at {url}</source>
        <translation>
            <numerusform>{url} 提供 %n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>No server answered on this computer. Only this computer was asked.</source>
        <translation>本机上没有服务应答。只询问了这台电脑。</translation>
    </message>
    <message>
        <source>{model} reads your chats from now on.</source>
        <translation>今后由 {model} 阅读你的聊天。</translation>
    </message>
</context>
<context>
    <name>MonthCells</name>
    <message>
        <source>Days of the story</source>
        <translation>故事日历</translation>
    </message>
</context>
<context>
    <name>MonthGrid</name>
    <message>
        <source>The month before that has events</source>
        <translation>上一个有事件的月份</translation>
    </message>
    <message>
        <source>The next month that has events</source>
        <translation>下一个有事件的月份</translation>
    </message>
    <message>
        <source>{month} {year}</source>
        <translation>{year} 年 {month}</translation>
    </message>
</context>
<context>
    <name>MutedList</name>
    <message>
        <source>Every memory may be used</source>
        <translation>所有记忆都可以使用</translation>
    </message>
    <message>
        <source>“Do not use again” on a recalled memory puts it here.</source>
        <translation>在召回的记忆上点“不要再用”，它就会出现在这里。</translation>
    </message>
    <message>
        <source>Allow again</source>
        <translation>重新允许</translation>
    </message>
</context>
<context>
    <name>NameDialog</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
</context>
<context>
    <name>NextPrompt</name>
    <message>
        <source>The earlier story</source>
        <translation>更早的故事</translation>
    </message>
    <message>
        <source>Recalled of the earlier story</source>
        <translation>召回的更早故事</translation>
    </message>
    <message>
        <source>The story so far</source>
        <translation>前情提要</translation>
    </message>
    <message>
        <source>Who is present</source>
        <translation>此刻在场</translation>
    </message>
    <message>
        <source>Recalled events</source>
        <translation>召回的事件</translation>
    </message>
    <message>
        <source>Quoted messages</source>
        <translation>引用的原文</translation>
    </message>
    <message>
        <source>Entities</source>
        <translation>实体</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>Promises due</source>
        <translation>到期的承诺</translation>
    </message>
    <message>
        <source>a volume that is read</source>
        <translation>已接入的记忆册</translation>
    </message>
    <message>
        <source>always visible</source>
        <translation>常驻</translation>
    </message>
    <message>
        <source>there now</source>
        <translation>此刻在场</translation>
    </message>
    <message>
        <source>named, or linked to what came back</source>
        <translation>被提到，或与想起的内容相连</translation>
    </message>
    <message>
        <source>due, or still open</source>
        <translation>到期或未了</translation>
    </message>
</context>
<context>
    <name>NextPromptModel</name>
    <message>
        <source>Saving a setting</source>
        <translation>保存设置</translation>
    </message>
    <message>
        <source>Muting a memory</source>
        <translation>停用一条记忆</translation>
    </message>
    <message>
        <source>Archiving an event</source>
        <translation>归档一个事件</translation>
    </message>
    <message>
        <source>Making an event visible</source>
        <translation>让一个事件常驻</translation>
    </message>
</context>
<context>
    <name>NextPromptView</name>
    <message>
        <source>Budget (tokens)</source>
        <translation>预算 (tokens)</translation>
    </message>
    <message>
        <source>In this chat: what a prompt may hold of memory</source>
        <translation>本聊天的提示最多容纳多少记忆</translation>
    </message>
    <message>
        <source>Lines of the next prompt</source>
        <translation>下次提示的各行</translation>
    </message>
    <message>
        <source>What the prompt says</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Enter reads its lines, Del leaves it out, P keeps it in.</source>
        <translation>回车查看原文，Del 去掉，P 设为常驻。</translation>
    </message>
    <message>
        <source>Read its lines</source>
        <translation>查看原文</translation>
    </message>
    <message>
        <source>Always visible</source>
        <translation>常驻</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>去掉</translation>
    </message>
    <message>
        <source>For floor {floor}: {text}</source>
        <translation>针对 {floor} 楼：{text}</translation>
    </message>
    <message>
        <source>Composing…</source>
        <translation>正在编写…</translation>
    </message>
    <message>
        <source>The next prompt gets no memory</source>
        <translation>下次提示不含记忆</translation>
    </message>
    <message>
        <source>Nothing fits what was said last, or memory is off in this chat.</source>
        <translation>没有与最近的话相符的记忆，或本聊天已关闭记忆。</translation>
    </message>
    <message>
        <source>{used} of {budget} tokens</source>
        <translation>{used} / {budget} tokens</translation>
    </message>
    <message>
        <source>Frozen until floor {floor}: {text}</source>
        <translation>固定到 {floor} 楼：{text}</translation>
    </message>
    <message>
        <source>No room in the budget: next in line</source>
        <translation>预算装不下：后面的候选</translation>
    </message>
</context>
<context>
    <name>NoteField</name>
    <message>
        <source>Private note</source>
        <translation>私人备注</translation>
    </message>
    <message>
        <source>For you alone: no model ever sees it.</source>
        <translation>只给你自己看：任何模型都看不到。</translation>
    </message>
</context>
<context>
    <name>NoteMarks</name>
    <message>
        <source>You wrote a private note on this</source>
        <translation>你在这里写了私人备注</translation>
    </message>
</context>
<context>
    <name>NothingListed</name>
    <message>
        <source>No event matches</source>
        <translation>没有符合的事件</translation>
    </message>
    <message>
        <source>Try fewer words, or show all events again.</source>
        <translation>换少一些的词，或重新显示全部事件。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) wait for your review</source>
        <translation>
            <numerusform>%n 个区块等你审阅</numerusform>
        </translation>
    </message>
    <message>
        <source>What was made of them becomes events once you have looked through it.</source>
        <translation>审阅之后，其中的内容就会成为事件。</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>审阅…</translation>
    </message>
    <message>
        <source>No events yet</source>
        <translation>还没有事件</translation>
    </message>
    <message numerus="yes">
        <source>%n floor(s) are waiting. A summary turns them into events you can read, correct and recall.</source>
        <translation>
            <numerusform>有 %n 楼等待处理。生成摘要后，它们会变成可阅读、可修改、可召回的事件。</numerusform>
        </translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation>生成摘要…</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
</context>
<context>
    <name>NoticesDialog</name>
    <message>
        <source>Third-party notices</source>
        <translation>第三方声明</translation>
    </message>
    <message>
        <source>Engram Desktop is under the MIT licence. It is put together from these packages, each under its own.</source>
        <translation>Engram Desktop 采用 MIT 许可证，由以下软件包组成，各包适用各自的许可证。</translation>
    </message>
    <message>
        <source>Search packages and licences</source>
        <translation>搜索软件包与许可证</translation>
    </message>
    <message>
        <source>Packages</source>
        <translation>软件包</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Licence: {licence}</source>
        <translation>许可证：{licence}</translation>
    </message>
    <message>
        <source>Home page: {address}</source>
        <translation>主页：{address}</translation>
    </message>
    <message>
        <source>Contains: {what}</source>
        <translation>包含：{what}</translation>
    </message>
</context>
<context>
    <name>OtherAnswers</name>
    <message>
        <source>What another model makes of it</source>
        <translation>另一个模型的写法</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>{model} answered:</source>
        <translation>{model} 的回答：</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>正在询问…</translation>
    </message>
</context>
<context>
    <name>OutlineModel</name>
    <message>
        <source>Level {level}</source>
        <translation>第 {level} 级</translation>
    </message>
</context>
<context>
    <name>OutlineView</name>
    <message>
        <source>Outlines</source>
        <translation>大纲</translation>
    </message>
</context>
<context>
    <name>OverviewPage</name>
    <message>
        <source>The story so far</source>
        <translation>前情提要</translation>
    </message>
    <message>
        <source>It appears here as memory is made.</source>
        <translation>记忆生成后，故事会在这里讲述。</translation>
    </message>
    <message>
        <source>Key moments</source>
        <translation>关键时刻</translation>
    </message>
    <message>
        <source>The most important events are listed here.</source>
        <translation>最重要的事件会列在这里。</translation>
    </message>
    <message>
        <source>The chat as a whole</source>
        <translation>聊天总览</translation>
    </message>
</context>
<context>
    <name>PassageRelationDialog</name>
    <message>
        <source>Make a relation of these words</source>
        <translation>用这些文字建立关系</translation>
    </message>
    <message>
        <source>Floor {floor}: “{words}”</source>
        <translation>第 {floor} 楼：“{words}”</translation>
    </message>
    <message>
        <source>Who or what</source>
        <translation>谁（或什么）</translation>
    </message>
    <message>
        <source>For example: trusts, lives in, friend</source>
        <translation>例如：信任、住在、朋友</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>The other entity</source>
        <translation>另一个实体</translation>
    </message>
    <message>
        <source>Swap the two</source>
        <translation>互换</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Not in the graph: {names}. Select the name in the text and press N.</source>
        <translation>图谱里没有：{names}。请在原文中选中这个名字，再按 N。</translation>
    </message>
    <message>
        <source>It holds from floor {floor} on, until the story says otherwise.</source>
        <translation>从第 {floor} 楼起成立，直到故事另有说法。</translation>
    </message>
</context>
<context>
    <name>PassageUses</name>
    <message>
        <source>Adding a memory</source>
        <translation>添加记忆</translation>
    </message>
    <message>
        <source>Remembered: {floors}</source>
        <translation>已记住：{floors}</translation>
    </message>
    <message>
        <source>Adding a relation</source>
        <translation>正在添加关系</translation>
    </message>
    <message>
        <source>Related, from floor {floor} on</source>
        <translation>已建立关系，自第 {floor} 楼起</translation>
    </message>
    <message>
        <source>Forgetting a thread</source>
        <translation>取消伏笔</translation>
    </message>
    <message>
        <source>No longer a thread</source>
        <translation>不再算作伏笔</translation>
    </message>
    <message>
        <source>Noting a thread</source>
        <translation>记下伏笔</translation>
    </message>
    <message>
        <source>Noted as an open thread: it stands on the page of findings</source>
        <translation>已记为未了的伏笔，见真伪页</translation>
    </message>
    <message>
        <source>Adding an entity</source>
        <translation>添加实体</translation>
    </message>
</context>
<context>
    <name>PastRecalls</name>
    <message>
        <source>Nothing was recalled yet</source>
        <translation>还没有召回过</translation>
    </message>
    <message>
        <source>Every recall is kept here for a while: what was found, and why.</source>
        <translation>每次召回都会在这里保留一段时间：找到了什么，为什么。</translation>
    </message>
    <message>
        <source>Past recalls</source>
        <translation>召回记录</translation>
    </message>
    <message>
        <source>Why, and why not</source>
        <translation>为什么召回，为什么没有</translation>
    </message>
    <message>
        <source>The text that was injected</source>
        <translation>当时注入的内容</translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s)</source>
        <translation>
            <numerusform>%n 条记忆</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PinnedSearches</name>
    <message>
        <source>Saved searches</source>
        <translation>已保存的搜索</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>Pipeline</name>
    <message>
        <source>Summarising</source>
        <translation>生成摘要</translation>
    </message>
    <message>
        <source>Summarising again</source>
        <translation>重新摘要</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) made</source>
        <translation>
            <numerusform>生成 %n 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{made}, but %n block(s) failed.</source>
        <translation>
            <numerusform>{made}，但有 %n 个区块失败。</numerusform>
        </translation>
    </message>
    <message>
        <source>What was finished is kept; the failed floors can be tried again.</source>
        <translation>已完成的都已保留，失败的楼层可以重试。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>{outlines}; made without a model, nothing is sent.</source>
        <translation>{outlines}；不用模型，不发送任何内容。</translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) to {model}</source>
        <translation>
            <numerusform>向 {model} 请求 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>{outlines}; {requests}, about {tokens} tokens to read.</source>
        <translation>{outlines}；{requests}，约 {tokens} token 输入。</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) were not started.</source>
        <translation>
            <numerusform>还有 %n 段没有开始。</numerusform>
        </translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message numerus="yes">
        <source>No event was made of %n message(s).</source>
        <translation>
            <numerusform>%n 条消息没有产生事件。</numerusform>
        </translation>
    </message>
    <message>
        <source>They are SillyTavern’s own notices and comments. What you hid with /hide is remembered all the same.</source>
        <translation>它们是 SillyTavern 自己的提示与注释。用 /hide 隐藏的消息仍会照常记入。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) are ready for your review.</source>
        <translation>
            <numerusform>有 %n 个区块等你审阅。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing is saved before you say so.</source>
        <translation>你点保存之前，什么都不会写入。</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>审阅…</translation>
    </message>
    <message>
        <source>Consolidating memory</source>
        <translation>整理记忆</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) archived</source>
        <translation>
            <numerusform>归档 %n 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entity(s) added</source>
        <translation>
            <numerusform>新增 %n 个实体</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n relation(s) added</source>
        <translation>
            <numerusform>新增 %n 条关系</numerusform>
        </translation>
    </message>
    <message>
        <source>Trimming</source>
        <translation>正在精简</translation>
    </message>
    <message>
        <source>Trimming stopped early.</source>
        <translation>精简提前停止。</translation>
    </message>
    <message>
        <source>There is nothing to trim.</source>
        <translation>没有可精简的内容。</translation>
    </message>
    <message>
        <source>Always visible: {tokens} tokens. Locked and newest events stay.</source>
        <translation>常驻 {tokens} tokens。锁定与最新的事件保持不动。</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) merged</source>
        <translation>
            <numerusform>合并了 %n 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outline(s) made</source>
        <translation>
            <numerusform>生成 %n 条大纲</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Summed up in %n outline(s)</source>
        <translation>
            <numerusform>由 %n 条大纲概括</numerusform>
        </translation>
    </message>
    <message>
        <source>{done}.</source>
        <translation>{done}。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message numerus="yes">
        <source>%n archived event(s) are in no outline.</source>
        <translation>
            <numerusform>有 %n 条归档事件没有任何大纲讲述。</numerusform>
        </translation>
    </message>
    <message>
        <source>A prompt knows of them only when they are recalled.</source>
        <translation>只有被召回时，提示词里才会有它们。</translation>
    </message>
    <message>
        <source>Make outlines…</source>
        <translation>生成大纲…</translation>
    </message>
    <message>
        <source>{events}, {outlines}.</source>
        <translation>{events}，{outlines}。</translation>
    </message>
    <message>
        <source>Always visible: {before} → {after} tokens.</source>
        <translation>常驻 {before} → {after} tokens。</translation>
    </message>
    <message>
        <source>Stopped. What was finished is kept.</source>
        <translation>已停止，已完成的部分都已保留。</translation>
    </message>
</context>
<context>
    <name>PlaceFinder</name>
    <message>
        <source>Chats</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Branches of this chat</source>
        <translation>本聊天的分支</translation>
    </message>
    <message>
        <source>Entities of this chat</source>
        <translation>本聊天的实体</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Type the name of a chat, a branch or an entity</source>
        <translation>输入聊天、分支或实体的名字</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>没有叫这个名字的</translation>
    </message>
</context>
<context>
    <name>PlayChat</name>
    <message>
        <source>Waiting for a reply</source>
        <translation>等待回复</translation>
    </message>
    <message>
        <source>Continuing the reply</source>
        <translation>继续写回复</translation>
    </message>
    <message>
        <source>Asking for another reply</source>
        <translation>重新生成回复</translation>
    </message>
    <message>
        <source>Choosing another reading</source>
        <translation>选择另一个版本</translation>
    </message>
    <message>
        <source>Editing a message</source>
        <translation>编辑消息</translation>
    </message>
    <message>
        <source>Deleting messages</source>
        <translation>删除消息</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) deleted</source>
        <translation>
            <numerusform>已删除 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>Forking</source>
        <translation>开分支</translation>
    </message>
    <message>
        <source>Routine</source>
        <translation>日常</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>闲聊</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Numbers change, and nothing is remembered of it.</source>
        <translation>只改变数值，不留下记忆。</translation>
    </message>
    <message>
        <source>Ordinary talk, with the story and the state.</source>
        <translation>普通对话，带上故事与状态。</translation>
    </message>
    <message>
        <source>It matters: everything is recalled, and an event is recorded.</source>
        <translation>关键剧情：完整召回，并记下事件。</translation>
    </message>
    <message>
        <source>set by hand</source>
        <translation>手动指定</translation>
    </message>
    <message>
        <source>by the model for triage</source>
        <translation>由分流模型判断</translation>
    </message>
    <message>
        <source>by rules</source>
        <translation>按规则判断</translation>
    </message>
    <message>
        <source>as the scene is written</source>
        <translation>按剧本</translation>
    </message>
    <message>
        <source>{count} recalled</source>
        <translation>想起 {count} 条</translation>
    </message>
    <message>
        <source>What {name} was reminded of</source>
        <translation>{name}想起的事</translation>
    </message>
    <message>
        <source>Recorded: {event}</source>
        <translation>记下：{event}</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>The limit of tokens was reached, or the connection broke.</source>
        <translation>达到了 token 上限，或连接中断。</translation>
    </message>
    <message>
        <source>Cut off: continue</source>
        <translation>没写完：继续</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>内心</translation>
    </message>
</context>
<context>
    <name>PlayPage</name>
    <message>
        <source>What was said</source>
        <translation>说过的话</translation>
    </message>
    <message>
        <source>End the session…</source>
        <translation>结束这次会话…</translation>
    </message>
    <message>
        <source>Look back: what was missed, and what each keeps to themselves</source>
        <translation>回顾：补上遗漏，写下各自的心事</translation>
    </message>
    <message>
        <source>New chat…</source>
        <translation>新对话…</translation>
    </message>
    <message>
        <source>No model is set up, so nobody can reply here.</source>
        <translation>还没有设置模型，所以没有人能回复。</translation>
    </message>
    <message>
        <source>Play our scene without one</source>
        <translation>不用模型，演一段现成的</translation>
    </message>
    <message>
        <source>Set up a model…</source>
        <translation>设置模型…</translation>
    </message>
    <message>
        <source>{player} with {names}</source>
        <translation>{player} 与 {names}</translation>
    </message>
    <message>
        <source>Nothing was said yet</source>
        <translation>还没有人说话</translation>
    </message>
    <message>
        <source>Talk with a character of the library, or several in one scene. Every chat can be gone on with here.</source>
        <translation>与资料库里的一个角色对话，或让几个角色同场。任何聊天都能在这里继续。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Edit here</source>
        <translation>在此编辑</translation>
    </message>
    <message>
        <source>Continue the reply</source>
        <translation>继续写</translation>
    </message>
    <message>
        <source>Another reply</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <source>Fork here</source>
        <translation>从这里分支</translation>
    </message>
    <message>
        <source>Memories of this message</source>
        <translation>这条消息的记忆</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>谁知道这件事…</translation>
    </message>
    <message>
        <source>Delete this message</source>
        <translation>删除这条消息</translation>
    </message>
    <message numerus="yes">
        <source>Delete this and the %n after it</source>
        <translation>
            <numerusform>删除这条及其后的 %n 条</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlayStart</name>
    <message>
        <source>Beginning a chat</source>
        <translation>开始对话</translation>
    </message>
</context>
<context>
    <name>Portrait</name>
    <message>
        <source>Picture of {name}</source>
        <translation>{name} 的头像</translation>
    </message>
</context>
<context>
    <name>PrivateNoteModel</name>
    <message>
        <source>Saving a private note</source>
        <translation>正在保存私人备注</translation>
    </message>
</context>
<context>
    <name>ProgressCard</name>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Events, floors and cast are as seen from here. What waits, what failed and what it cost are as they are now.</source>
        <translation>事件、楼层与角色按当前视角与楼层计；待审、失败与花费是现在的数目，不随视角变化。</translation>
    </message>
    <message>
        <source>buffer</source>
        <translation>缓冲</translation>
    </message>
    <message>
        <source>archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>outlines</source>
        <translation>大纲</translation>
    </message>
    <message>
        <source>floors unread</source>
        <translation>楼层未读</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>wait for review</source>
        <translation>待审阅</translation>
    </message>
    <message>
        <source>This chat: {spent}</source>
        <translation>本聊天：{spent}</translation>
    </message>
    <message>
        <source>Whole library: {spent}</source>
        <translation>整个资料库：{spent}</translation>
    </message>
    <message>
        <source>{done} of {all} floors have become memory</source>
        <translation>{all} 楼中有 {done} 楼已成为记忆</translation>
    </message>
    <message>
        <source>no model was asked</source>
        <translation>未调用模型</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} tokens</translation>
    </message>
</context>
<context>
    <name>PromiseSection</name>
    <message numerus="yes">
        <source>Promises · %n open</source>
        <translation>
            <numerusform>承诺 · %n 个未了</numerusform>
        </translation>
    </message>
    <message>
        <source>Promises</source>
        <translation>承诺</translation>
    </message>
    <message>
        <source>open</source>
        <translation>未了</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>已兑现</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>已失约</translation>
    </message>
</context>
<context>
    <name>PromptEditor</name>
    <message>
        <source>People and card</source>
        <translation>人物与角色卡</translation>
    </message>
    <message>
        <source>Messages and chat</source>
        <translation>消息与聊天</translation>
    </message>
    <message>
        <source>Choice, time, variables</source>
        <translation>选择、时间与变量</translation>
    </message>
    <message>
        <source>Saving a prompt</source>
        <translation>保存提示词</translation>
    </message>
    <message>
        <source>Resetting a prompt</source>
        <translation>还原提示词</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>Does the answer stand in the prompt?</source>
        <translation>答案在提示词里吗？</translation>
    </message>
    <message>
        <source>The prompt of every question is composed with each budget. The table shows whether what should be found stands in it, and how many tokens it takes. Nothing is changed.</source>
        <translation>按每个预算为每个问题生成一次提示词。表格显示应当找到的记忆是否在其中，以及用掉多少 tokens。不会改动任何内容。</translation>
    </message>
    <message>
        <source>Budgets (tokens)</source>
        <translation>预算 (tokens)</translation>
    </message>
    <message>
        <source>Such as 1000, 2000, 6000; empty: as in the settings</source>
        <translation>例如 1000, 2000, 6000；留空则按设置</translation>
    </message>
</context>
<context>
    <name>PromptPage</name>
    <message>
        <source>System part</source>
        <translation>系统提示</translation>
    </message>
    <message>
        <source>User part</source>
        <translation>用户提示</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Language of the story</source>
        <translation>故事语言</translation>
    </message>
    <message>
        <source>For Chinese stories</source>
        <translation>用于中文故事</translation>
    </message>
    <message>
        <source>For English stories</source>
        <translation>用于英文故事</translation>
    </message>
    <message>
        <source>How the answer is asked for</source>
        <translation>要求的回答格式</translation>
    </message>
    <message>
        <source>Ask for JSON</source>
        <translation>要求 JSON</translation>
    </message>
    <message>
        <source>Ask for plain text</source>
        <translation>要求纯文本</translation>
    </message>
    <message>
        <source>Model: the usual one</source>
        <translation>模型：默认</translation>
    </message>
    <message>
        <source>Base URL: the usual one</source>
        <translation>接口地址：默认</translation>
    </message>
    <message>
        <source>The API key is sent only to the server it was entered for.</source>
        <translation>API 密钥只会发给填写它时的那台服务器。</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Use the built-in prompt again</source>
        <translation>重新使用内置提示词</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>From the built-in prompt, as it is saved</source>
        <translation>已保存的内容与内置提示词的差异</translation>
    </message>
    <message>
        <source>The very request this task would send next for this chat; nothing is sent</source>
        <translation>该任务对当前聊天将要发送的下一个请求，原样显示；不会发送</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>More…</source>
        <translation>更多…</translation>
    </message>
    <message>
        <source>More macros</source>
        <translation>更多宏</translation>
    </message>
    <message>
        <source>Nothing is known of {names}: it would be sent as it stands.</source>
        <translation>不认识 {names}：会原样发给模型。</translation>
    </message>
    <message>
        <source>Programs between &lt;% and %&gt; are off, and would be sent as they stand. Switch them on in the settings, under Text of messages.</source>
        <translation>&lt;% 与 %&gt; 之间的程序没有启用，会原样发送。可在设置的“消息文本”里启用。</translation>
    </message>
    <message>
        <source>Your own</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>About {tokens} tokens, for {model}</source>
        <translation>约 {tokens} token，模型 {model}</translation>
    </message>
    <message>
        <source>no model yet</source>
        <translation>（尚未设置模型）</translation>
    </message>
    <message>
        <source>Nothing differs.</source>
        <translation>没有差异。</translation>
    </message>
</context>
<context>
    <name>QAbstractFileIconProvider</name>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Drive</source>
        <translation>驱动器</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>%1 File</source>
        <translation>%1 文件</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>QFileDialog</name>
    <message>
        <source>&amp;Look in:</source>
        <translation>查找范围(&amp;L)：</translation>
    </message>
    <message>
        <source>Files of &amp;type:</source>
        <translation>文件类型(&amp;T)：</translation>
    </message>
    <message>
        <source>Computer</source>
        <translation>计算机</translation>
    </message>
</context>
<context>
    <name>QuestionBox</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>QuestionTable</name>
    <message>
        <source>Questions of the lab</source>
        <translation>实验室的问题</translation>
    </message>
    <message>
        <source>Question and what it should find</source>
        <translation>问题与应当找到的记忆</translation>
    </message>
    <message>
        <source>All questions</source>
        <translation>全部问题</translation>
    </message>
    <message>
        <source>{memory} (is no more)</source>
        <translation>{memory}（已不存在）</translation>
    </message>
</context>
<context>
    <name>QuickFinding</name>
    <message>
        <source>Filters of events</source>
        <translation>事件筛选</translation>
    </message>
    <message>
        <source>Search everything</source>
        <translation>搜索一切</translation>
    </message>
    <message>
        <source>Type what you want to do</source>
        <translation>想做什么，直接输入</translation>
    </message>
    <message>
        <source>Go to a chat, a branch or an entity</source>
        <translation>转到聊天、分支或实体</translation>
    </message>
</context>
<context>
    <name>QuickPanel</name>
    <message>
        <source>Search everything</source>
        <translation>搜索一切</translation>
    </message>
    <message>
        <source>Save this search</source>
        <translation>保存这个搜索</translation>
    </message>
    <message>
        <source>What may be typed</source>
        <translation>可以输入什么</translation>
    </message>
    <message>
        <source>↑ ↓ choose · Enter open · Del forget · Esc close</source>
        <translation>↑ ↓ 选择 · Enter 打开 · Del 忘掉 · Esc 关闭</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <source>Save this search no longer</source>
        <translation>不再保存这个搜索</translation>
    </message>
</context>
<context>
    <name>ReadingChat</name>
    <message>
        <source>Editing a message</source>
        <translation>正在编辑消息</translation>
    </message>
    <message>
        <source>Floor {floor} was edited</source>
        <translation>已编辑 {floor} 楼</translation>
    </message>
    <message>
        <source>Hiding messages</source>
        <translation>正在隐藏消息</translation>
    </message>
    <message>
        <source>Showing messages</source>
        <translation>正在恢复显示消息</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) hidden from prompts; memory is as it was</source>
        <translation>
            <numerusform>已对提示词隐藏 %n 条消息，记忆不变</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) shown to prompts again</source>
        <translation>
            <numerusform>%n 条消息已重新进入提示词</numerusform>
        </translation>
    </message>
    <message>
        <source>Deleting messages</source>
        <translation>正在删除消息</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) deleted</source>
        <translation>
            <numerusform>已删除 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>Forking</source>
        <translation>正在分支</translation>
    </message>
    <message>
        <source>{text}. SillyTavern&apos;s own file is not touched: it says what it said.</source>
        <translation>{text}。SillyTavern 自己的文件未被改动，内容照旧。</translation>
    </message>
    <message>
        <source>Messages missing before this</source>
        <translation>此前缺少消息</translation>
    </message>
    <message>
        <source>Private note</source>
        <translation>私人备注</translation>
    </message>
    <message>
        <source>The program it came from sent only its newest messages, and those before this one were not among them. They are put in here as soon as a request shows them.</source>
        <translation>来源程序只发来最新的消息，这一条之前的没有发来。之后的请求一旦带上它们，就会补到这里。</translation>
    </message>
</context>
<context>
    <name>ReadingPage</name>
    <message>
        <source>The chat as it was written</source>
        <translation>聊天原文</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>楼层</translation>
    </message>
    <message>
        <source>Go to floor</source>
        <translation>跳到楼层</translation>
    </message>
    <message>
        <source>of {last}</source>
        <translation>/ {last}</translation>
    </message>
    <message>
        <source>This chat has no messages</source>
        <translation>这个聊天没有消息</translation>
    </message>
    <message>
        <source>Import it again, or say something on the play page.</source>
        <translation>请重新导入，或到对话页说点什么。</translation>
    </message>
</context>
<context>
    <name>ReadingPanel</name>
    <message>
        <source>Remember this…</source>
        <translation>记住这段…</translation>
    </message>
    <message>
        <source>Remembered of these floors</source>
        <translation>这些楼层的记忆</translation>
    </message>
    <message>
        <source>Open on the events page</source>
        <translation>在事件页打开</translation>
    </message>
    <message>
        <source>No floor chosen</source>
        <translation>未选楼层</translation>
    </message>
    <message>
        <source>Click a message to see what is remembered of it.</source>
        <translation>点一条消息，看看从中记住了什么。</translation>
    </message>
</context>
<context>
    <name>RecallLab</name>
    <message>
        <source>Saving a question of the lab</source>
        <translation>保存实验室的问题</translation>
    </message>
    <message>
        <source>Deleting a question of the lab</source>
        <translation>删除实验室的问题</translation>
    </message>
    <message>
        <source>Comparing two ways to recall</source>
        <translation>比较两种召回方式</translation>
    </message>
    <message>
        <source>Looking into prompts</source>
        <translation>查看提示词</translation>
    </message>
</context>
<context>
    <name>RecallPage</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Entity</source>
        <translation>实体</translation>
    </message>
    <message>
        <source>Private log</source>
        <translation>私有日志</translation>
    </message>
    <message>
        <source>words</source>
        <translation>字词</translation>
    </message>
    <message>
        <source>words of the conversation</source>
        <translation>对话里的词</translation>
    </message>
    <message>
        <source>meaning</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>图谱</translation>
    </message>
    <message>
        <source>who spoke</source>
        <translation>谁说的</translation>
    </message>
    <message>
        <source>date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>names a time</source>
        <translation>提到了时间</translation>
    </message>
    <message>
        <source>is itself a question</source>
        <translation>本身是问句</translation>
    </message>
    <message>
        <source>reranker</source>
        <translation>重排</translation>
    </message>
    <message>
        <source>how recent it is</source>
        <translation>新近程度</translation>
    </message>
    <message>
        <source>word for word</source>
        <translation>逐字相同</translation>
    </message>
    <message>
        <source>answers a quoted question</source>
        <translation>回答了引用的问句</translation>
    </message>
    <message>
        <source>Others fitted better</source>
        <translation>有更合适的</translation>
    </message>
    <message>
        <source>The reranker put others first</source>
        <translation>重排模型把别的排在前面</translation>
    </message>
    <message>
        <source>Says the same as one above</source>
        <translation>与上面某条重复</translation>
    </message>
    <message>
        <source>You said: do not use again</source>
        <translation>你说过：不要再用</translation>
    </message>
    <message>
        <source>Always visible anyway</source>
        <translation>本来就常驻</translation>
    </message>
    <message>
        <source>Still in the chat itself</source>
        <translation>聊天里还看得到</translation>
    </message>
    <message>
        <source>More than the settings allow</source>
        <translation>超出设定的条数</translation>
    </message>
    <message>
        <source>No room in the token budget</source>
        <translation>token 预算放不下</translation>
    </message>
    <message>
        <source>Deleted meanwhile</source>
        <translation>其间已被删除</translation>
    </message>
    <message>
        <source>Its messages changed</source>
        <translation>它所讲的消息已改动</translation>
    </message>
    <message>
        <source>Too far from the question</source>
        <translation>与问题关系不大</translation>
    </message>
    <message>
        <source>Has too little to do with the question</source>
        <translation>与问题关系太小</translation>
    </message>
    <message>
        <source>Rests: it stood in the prompts of the last replies</source>
        <translation>轮休：前几次回复的提示词里刚出现过</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Next prompt</source>
        <translation>下次提示</translation>
    </message>
    <message>
        <source>Past recalls</source>
        <translation>召回记录</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>Ask, or paste the newest message of the chat</source>
        <translation>提问，或粘贴聊天的最新一条消息</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>召回</translation>
    </message>
    <message>
        <source>Let the model reword</source>
        <translation>让模型改写</translation>
    </message>
    <message>
        <source>The chat model says first what “her” and “that thing” mean. One short request.</source>
        <translation>先由聊天模型说清“她”“那件事”指什么。一个简短的请求。</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>Budget (tokens)</source>
        <translation>预算 (tokens)</translation>
    </message>
    <message>
        <source>Save to the lab</source>
        <translation>存入实验室</translation>
    </message>
    <message>
        <source>What would be remembered?</source>
        <translation>会想起什么？</translation>
    </message>
    <message>
        <source>Type what is about to be said. You see which memories come back, and why.</source>
        <translation>输入接下来要说的话，看看哪些记忆会被召回，以及为什么。</translation>
    </message>
    <message>
        <source>Too far from the question: a prompt would get none of these.</source>
        <translation>与问题相距太远：提示词里一条也不会有。</translation>
    </message>
    <message>
        <source>Not used</source>
        <translation>不再使用</translation>
    </message>
    <message>
        <source>What a prompt would get</source>
        <translation>将注入的内容</translation>
    </message>
    <message>
        <source>Why not others</source>
        <translation>为什么没有别的</translation>
    </message>
    <message numerus="yes">
        <source>%n memory(s)</source>
        <translation>
            <numerusform>%n 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing comes to mind</source>
        <translation>什么也没想起来</translation>
    </message>
    <message>
        <source>Try other words, or make more of the chat into events first.</source>
        <translation>换个说法，或先把更多聊天变成事件。</translation>
    </message>
    <message>
        <source>the index (exact search took its place)</source>
        <translation>索引（已改用精确检索）</translation>
    </message>
    <message>
        <source>the meaning of words (no embedder answered)</source>
        <translation>语义（嵌入器没有响应）</translation>
    </message>
    <message>
        <source>the reranker (it did not answer)</source>
        <translation>重排模型（没有回应）</translation>
    </message>
    <message>
        <source>the model that rewords questions (it did not answer)</source>
        <translation>改写问题的模型（没有回应）</translation>
    </message>
    <message>
        <source>who learnt what in the newest floors (another program is writing)</source>
        <translation>最新几楼里谁知道了什么（另一个程序正在写入）</translation>
    </message>
    <message>
        <source>a volume that is missing or cannot be read</source>
        <translation>有记忆册缺失或读不了</translation>
    </message>
    <message>
        <source>what is over or untrue (it is not worked out yet in so long a chat)</source>
        <translation>哪些已经过时或不实（这么长的聊天还没有算好）</translation>
    </message>
    <message>
        <source>Could not take part: {parts}.</source>
        <translation>未能参与：{parts}。</translation>
    </message>
</context>
<context>
    <name>RecallPageModel</name>
    <message>
        <source>Holding the injection still</source>
        <translation>保持注入内容不变</translation>
    </message>
    <message>
        <source>Composing injections again</source>
        <translation>重新生成注入内容</translation>
    </message>
    <message>
        <source>Muting a memory</source>
        <translation>停用一条记忆</translation>
    </message>
    <message>
        <source>Allowing a memory</source>
        <translation>重新允许一条记忆</translation>
    </message>
</context>
<context>
    <name>ReflectDialog</name>
    <message>
        <source>Look back</source>
        <translation>回顾</translation>
    </message>
    <message>
        <source>A model reads the floors once more: events that were missed go to the buffer, and what each character keeps to himself or herself becomes a private log. Each block can be undone by itself.</source>
        <translation>模型会把这些楼层再读一遍：遗漏的事件进入缓冲，各个角色藏在心里的话写成私有日志。每一段都可以单独撤销。</translation>
    </message>
    <message>
        <source>What is new since the last time</source>
        <translation>上次之后的新内容</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>There is nothing new to look back on.</source>
        <translation>没有新的内容可以回顾。</translation>
    </message>
    <message>
        <source>Floors that are not summarised yet, and the newest, are left for later.</source>
        <translation>还没有摘要的楼层和最新的楼层留待以后。</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s), floors {first}–{last}</source>
        <translation>
            <numerusform>%n 段，第 {first}–{last} 楼</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{model} is asked %n time(s), once per character and block: about {tokens} tokens to read.</source>
        <translation>
            <numerusform>{model} 会被询问 %n 次，每个角色每段一次：约需读取 {tokens} 个 token。</numerusform>
        </translation>
    </message>
    <message>
        <source>This needs a model. Set up a chat endpoint in the settings first.</source>
        <translation>这一步需要模型。请先在设置里填好聊天接口。</translation>
    </message>
</context>
<context>
    <name>Reflecting</name>
    <message>
        <source>Looking back</source>
        <translation>正在回顾</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) made</source>
        <translation>
            <numerusform>生成 %n 个事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n private log(s) written</source>
        <translation>
            <numerusform>写下 %n 条私有日志</numerusform>
        </translation>
    </message>
    <message>
        <source>{events}, {logs}.</source>
        <translation>{events}，{logs}。</translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) contained nothing new.</source>
        <translation>
            <numerusform>有 %n 条是已经记住的，没有重复写入。</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Looking back stopped at floors {first}–{last}.</source>
        <translation>回顾停在第 {first}–{last} 楼。</translation>
    </message>
    <message>
        <source>These floors are asked about again the next time.</source>
        <translation>下次会从这些楼层继续。</translation>
    </message>
    <message>
        <source>Stopped. What was finished is kept.</source>
        <translation>已停止，已完成的部分都已保留。</translation>
    </message>
</context>
<context>
    <name>RelationCard</name>
    <message>
        <source>Change this relation</source>
        <translation>更改这条关系</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>手动添加</translation>
    </message>
    <message>
        <source>since floor {floor}</source>
        <translation>第 {floor} 楼起</translation>
    </message>
    <message>
        <source>floors {first}–{last}</source>
        <translation>第 {first}–{last} 楼</translation>
    </message>
    <message>
        <source>until floor {floor}</source>
        <translation>到第 {floor} 楼为止</translation>
    </message>
    <message numerus="yes">
        <source>stated in %n event(s)</source>
        <translation>
            <numerusform>%n 个事件提到</numerusform>
        </translation>
    </message>
    <message>
        <source>then: {fact}</source>
        <translation>之后：{fact}</translation>
    </message>
</context>
<context>
    <name>RelationList</name>
    <message>
        <source>Add a relation…</source>
        <translation>添加关系…</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Before ({count})</source>
        <translation>以前（{count}）</translation>
    </message>
    <message>
        <source>Reword…</source>
        <translation>改写…</translation>
    </message>
    <message>
        <source>It ended…</source>
        <translation>已经结束…</translation>
    </message>
    <message>
        <source>Still true</source>
        <translation>仍然成立</translation>
    </message>
    <message>
        <source>As the story tells</source>
        <translation>以剧情为准</translation>
    </message>
    <message>
        <source>Read floor {floor}</source>
        <translation>查看第 {floor} 楼原文</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>Releases</name>
    <message>
        <source>Engram Desktop {version} is out.</source>
        <translation>Engram Desktop {version} 已发布。</translation>
    </message>
    <message>
        <source>Read about it</source>
        <translation>了解详情</translation>
    </message>
</context>
<context>
    <name>RememberForm</name>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>关键词</translation>
    </message>
    <message>
        <source>Let the model write it</source>
        <translation>让模型来写</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Remember</source>
        <translation>记住</translation>
    </message>
    <message>
        <source>Remember: {floors}</source>
        <translation>记住：{floors}</translation>
    </message>
    <message>
        <source>Reading the floors…</source>
        <translation>正在读这些楼层…</translation>
    </message>
    <message>
        <source>It joins the buffer, blue, and is archived with the others.</source>
        <translation>它以蓝色进入缓冲区，之后与其他事件一起归档。</translation>
    </message>
</context>
<context>
    <name>Remembering</name>
    <message>
        <source>Adding a memory</source>
        <translation>正在添加记忆</translation>
    </message>
    <message>
        <source>Remembered: {floors}</source>
        <translation>已记住：{floors}</translation>
    </message>
</context>
<context>
    <name>ReplaceDialog</name>
    <message>
        <source>Find and replace</source>
        <translation>查找与替换</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Type what to look for.</source>
        <translation>输入要查找的内容。</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation>替换为</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>As in the scripts; $1 stands for the first group.</source>
        <translation>写法与脚本相同；$1 代表第一个分组。</translation>
    </message>
    <message>
        <source>Of the events only: what an entity is called is changed on the graph page.</source>
        <translation>只改事件里的写法；实体本身的名字在图谱页修改。</translation>
    </message>
    <message numerus="yes">
        <source>%n selected event(s)</source>
        <translation>
            <numerusform>所选的 %n 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) of the list</source>
        <translation>
            <numerusform>列表中的 %n 条事件</numerusform>
        </translation>
    </message>
    <message>
        <source>Tick all</source>
        <translation>全部勾选</translation>
    </message>
    <message>
        <source>Tick none</source>
        <translation>全部取消</translation>
    </message>
    <message>
        <source>What would change</source>
        <translation>将要改动的内容</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) would change.</source>
        <translation>
            <numerusform>将改动 %n 处。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing would change.</source>
        <translation>没有需要改动的内容。</translation>
    </message>
    <message numerus="yes">
        <source>%n locked event(s) are left out.</source>
        <translation>
            <numerusform>%n 条已锁定的事件不会改动。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) whose summary would be empty stay.</source>
        <translation>
            <numerusform>%n 条事件的摘要会变空，保持原样。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace in %n place(s)</source>
        <translation>
            <numerusform>替换 %n 处</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Engram crashed the last time</source>
        <translation>Engram 上次意外崩溃</translation>
    </message>
    <message>
        <source>Something went wrong that should not have</source>
        <translation>出现了不该发生的错误</translation>
    </message>
    <message>
        <source>What was saved is safe. The report below holds no story text and no key. Nothing is sent: copy it into an issue if you wish.</source>
        <translation>已保存的内容都安全。下面的报告不含密钥，也不会发送到任何地方；需要时可复制到问题反馈中。</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>If it crashes again, begin in safe mode: no automation, no scripts, no server.</source>
        <translation>如果再次崩溃，请以安全模式启动：不自动整理，不运行脚本，不启动服务。</translation>
    </message>
    <message>
        <source>Restart in safe mode</source>
        <translation>以安全模式重新启动</translation>
    </message>
</context>
<context>
    <name>RequestsDialog</name>
    <message>
        <source>Requests to models</source>
        <translation>对模型的请求</translation>
    </message>
    <message>
        <source>Held in memory until the program ends, stored nowhere, without any key.</source>
        <translation>只留在内存里，程序结束即消失，不写入磁盘，也不含密钥。</translation>
    </message>
    <message>
        <source>What was asked</source>
        <translation>发出的请求</translation>
    </message>
    <message>
        <source>What came back</source>
        <translation>收到的回答</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>At</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>提示 tokens</translation>
    </message>
    <message>
        <source>Answer tokens</source>
        <translation>回答 tokens</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>No model has been asked yet.</source>
        <translation>还没有请求过模型。</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>已回答</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
</context>
<context>
    <name>RestoreDialog</name>
    <message>
        <source>Restore a backup</source>
        <translation>恢复备份</translation>
    </message>
    <message>
        <source>All chats, books and settings become what they were then. The library as it is now is backed up first and kept in its trash folder. Keys are not touched. The window opens again by itself.</source>
        <translation>所有聊天、世界书和设置都会回到备份时的样子。现在的资料库会先备份，并保留在回收文件夹中。密钥不受影响。窗口会自动重新打开。</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Another file…</source>
        <translation>其他文件…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>There is no backup yet.</source>
        <translation>还没有备份。</translation>
    </message>
    <message>
        <source>Choose a backup</source>
        <translation>选择备份</translation>
    </message>
    <message>
        <source>Backups ({endings})</source>
        <translation>备份 ({endings})</translation>
    </message>
</context>
<context>
    <name>Review</name>
    <message>
        <source>Saving what was reviewed</source>
        <translation>保存已审阅的内容</translation>
    </message>
    <message>
        <source>Discarding drafts</source>
        <translation>丢弃草稿</translation>
    </message>
    <message>
        <source>Asking again</source>
        <translation>重新请求</translation>
    </message>
    <message>
        <source>Asking {model}</source>
        <translation>正在询问 {model}</translation>
    </message>
    <message>
        <source>Reading the answer</source>
        <translation>读取回答</translation>
    </message>
    <message>
        <source>Saving a setting</source>
        <translation>保存设置</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) were not saved.</source>
        <translation>
            <numerusform>有 %n 个区块未保存。</numerusform>
        </translation>
    </message>
    <message>
        <source>Their messages have changed since. Ask again, or discard them.</source>
        <translation>对应的消息后来被改动过。请重新请求，或丢弃。</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) saved</source>
        <translation>
            <numerusform>已保存 %n 个事件</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>It failed again.</source>
        <translation>又失败了。</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) made</source>
        <translation>
            <numerusform>生成了 %n 个事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n draft(s) discarded</source>
        <translation>
            <numerusform>已丢弃 %n 份草稿</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewDialog</name>
    <message>
        <source>Review before saving</source>
        <translation>保存前先审阅</translation>
    </message>
    <message>
        <source>Correct what is wrong; leave out what is not worth keeping.</source>
        <translation>改正错处；不值得记住的就不勾选。</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>区块</translation>
    </message>
    <message>
        <source>To be saved</source>
        <translation>将要保存</translation>
    </message>
    <message>
        <source>There now; what is ticked will be replaced</source>
        <translation>现有事件；勾选的会被替换</translation>
    </message>
    <message>
        <source>Where it comes from</source>
        <translation>出自哪里</translation>
    </message>
    <message>
        <source>Save without asking from now on</source>
        <translation>以后直接保存，不再询问</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>重新请求</translation>
    </message>
    <message>
        <source>Read its messages</source>
        <translation>查看原文</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Nothing waits: what a model writes comes here before it is saved.</source>
        <translation>没有待审阅的内容：模型写出的内容在保存前会先到这里。</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n 个事件</numerusform>
        </translation>
    </message>
    <message>
        <source>redone</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>outdated: the messages have changed</source>
        <translation>已过期：消息已被改动</translation>
    </message>
    <message>
        <source>locked</source>
        <translation>已锁定</translation>
    </message>
    <message>
        <source>written by hand</source>
        <translation>手写</translation>
    </message>
    <message numerus="yes">
        <source>Save all %n block(s)</source>
        <translation>
            <numerusform>保存全部 %n 个区块</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RewordDialog</name>
    <message>
        <source>Reword the relation</source>
        <translation>改写这段关系</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
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
        <translation>消息内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
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
        <translation>复制</translation>
    </message>
    <message>
        <source>Remember this…</source>
        <translation>记住这段…</translation>
    </message>
    <message>
        <source>Its memory on the events page</source>
        <translation>到事件页看它的记忆</translation>
    </message>
    <message>
        <source>{kind}: “{words}”</source>
        <translation>{kind}：“{words}”</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>谁知道这件事…</translation>
    </message>
    <message>
        <source>See everything as of here</source>
        <translation>以此楼为准查看一切</translation>
    </message>
    <message>
        <source>Edit here</source>
        <translation>就地编辑</translation>
    </message>
    <message>
        <source>Show to prompts</source>
        <translation>恢复给提示词</translation>
    </message>
    <message>
        <source>Hide from prompts</source>
        <translation>对提示词隐藏</translation>
    </message>
    <message>
        <source>Fork here</source>
        <translation>从这里分支</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n message(s)</source>
        <translation>
            <numerusform>删除 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>Make of these words</source>
        <translation>把选中的文字变成</translation>
    </message>
    <message>
        <source>An event…</source>
        <translation>事件…</translation>
    </message>
    <message>
        <source>A fact of somebody or something…</source>
        <translation>某人或某物的事实…</translation>
    </message>
    <message>
        <source>An open thread: a promise, a hint</source>
        <translation>未了的伏笔：承诺或暗示</translation>
    </message>
    <message>
        <source>A person, place or thing</source>
        <translation>人物、地点或物品</translation>
    </message>
    <message>
        <source>A relation between two…</source>
        <translation>两者之间的关系…</translation>
    </message>
    <message>
        <source>No longer a thread</source>
        <translation>不再算作伏笔</translation>
    </message>
</context>
<context>
    <name>SafeStrip</name>
    <message>
        <source>Safe mode: no automation, no scripts, no server, nothing by itself</source>
        <translation>安全模式：不自动整理，不运行脚本，不启动服务，什么都不会自己发生</translation>
    </message>
    <message>
        <source>Leave safe mode</source>
        <translation>退出安全模式</translation>
    </message>
</context>
<context>
    <name>SameInbox</name>
    <message>
        <source>Merging</source>
        <translation>正在合并</translation>
    </message>
    <message>
        <source>Keeping apart</source>
        <translation>正在标记为不同</translation>
    </message>
    <message>
        <source>Looking for duplicates</source>
        <translation>正在查找重复的实体</translation>
    </message>
    <message>
        <source>Updating profiles</source>
        <translation>正在更新档案</translation>
    </message>
    <message>
        <source>“{name}” was merged.</source>
        <translation>“{name}”已合并。</translation>
    </message>
    <message>
        <source>Nothing new looks like one entity.</source>
        <translation>没有发现新的疑似重复。</translation>
    </message>
    <message>
        <source>There is no new event since the last update.</source>
        <translation>上次更新之后没有新的事件。</translation>
    </message>
    <message numerus="yes">
        <source>%n profile(s) updated</source>
        <translation>
            <numerusform>更新了 %n 份档案</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>SamePage</name>
    <message>
        <source>No two entities look like one</source>
        <translation>没有疑似重复的实体</translation>
    </message>
    <message>
        <source>Names that resemble each other are asked about when memory is consolidated.</source>
        <translation>整理记忆时，会把相近的名字列在这里，由你决定。</translation>
    </message>
    <message>
        <source>Look through the whole graph</source>
        <translation>检查整个图谱</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 条</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SavedFilters</name>
    <message>
        <source>“{name}” is kept beside the chats. F2 renames it there.</source>
        <translation>“{name}”已保存到侧栏，可在那里按 F2 改名。</translation>
    </message>
    <message>
        <source>“{name}” stays in the menu of the events page.</source>
        <translation>“{name}”仍在事件页的菜单里。</translation>
    </message>
    <message>
        <source>The filter “{name}” was deleted.</source>
        <translation>筛选“{name}”已删除。</translation>
    </message>
</context>
<context>
    <name>SavedSearches</name>
    <message>
        <source>“{name}” stays among the saved searches of Ctrl+K.</source>
        <translation>“{name}”仍在 Ctrl+K 的已保存搜索中。</translation>
    </message>
    <message>
        <source>The search “{name}” was deleted.</source>
        <translation>已删除搜索“{name}”。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>ScriptList</name>
    <message>
        <source>For all chats</source>
        <translation>全局</translation>
    </message>
    <message>
        <source>Of a preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Of a character</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>As it was written</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>EJS programs</source>
        <translation>EJS 程序</translation>
    </message>
    <message>
        <source>Importing regex scripts</source>
        <translation>导入正则脚本</translation>
    </message>
    <message>
        <source>The regex script “{name}” was deleted</source>
        <translation>已删除正则脚本“{name}”</translation>
    </message>
    <message>
        <source>Changing regex scripts</source>
        <translation>修改正则脚本</translation>
    </message>
    <message>
        <source>Engram&apos;s own</source>
        <translation>Engram 内置</translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s) written</source>
        <translation>
            <numerusform>已写出 %n 条正则脚本</numerusform>
        </translation>
    </message>
    <message>
        <source>The regex script “{name}” was switched off.</source>
        <translation>正则脚本“{name}”已被停用。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
</context>
<context>
    <name>ScriptPage</name>
    <message>
        <source>Messages go through these before a model reads them, from top to bottom. What is stored never changes. Scripts that only change the display are not run.</source>
        <translation>消息交给模型之前，从上到下依次经过这些处理。保存的原文永远不变；只改变显示的脚本不会运行。</translation>
    </message>
    <message>
        <source>Scripts and rules</source>
        <translation>脚本与规则</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Whose</source>
        <translation>归属</translation>
    </message>
    <message>
        <source>Looks for</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Add scripts…</source>
        <translation>添加脚本…</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Text to try it on</source>
        <translation>用来试的文字</translation>
    </message>
    <message>
        <source>What comes of it</source>
        <translation>处理结果</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Run the chosen script, or all that are on</source>
        <translation>运行所选脚本；没有选脚本时运行全部已启用的</translation>
    </message>
    <message>
        <source>Add scripts</source>
        <translation>添加脚本</translation>
    </message>
    <message>
        <source>Regex scripts (*.json);;All files (*)</source>
        <translation>正则脚本 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Regex scripts (*.json)</source>
        <translation>正则脚本 (*.json)</translation>
    </message>
</context>
<context>
    <name>SearchStrip</name>
    <message>
        <source>Search this chat</source>
        <translation>在本聊天中搜索</translation>
    </message>
    <message>
        <source>The one before (Shift+F3)</source>
        <translation>上一处 (Shift+F3)</translation>
    </message>
    <message>
        <source>The next one (F3)</source>
        <translation>下一处 (F3)</translation>
    </message>
    <message>
        <source>{percent} %</source>
        <translation>{percent}%</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>第 {n} / {total} 处</translation>
    </message>
</context>
<context>
    <name>SecretList</name>
    <message>
        <source>Saying who must not learn it</source>
        <translation>记下不能让谁知道</translation>
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
        <translation>只有一部分人知道的记忆。</translation>
    </message>
    <message>
        <source>Search secrets</source>
        <translation>搜索秘密</translation>
    </message>
    <message>
        <source>Nothing is a secret: everybody knows what happened, or nobody was there.</source>
        <translation>没有秘密：发生的事人人都知道，或无人在场。</translation>
    </message>
    <message>
        <source>Who must not learn it</source>
        <translation>不能让谁知道</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>谁知道这件事…</translation>
    </message>
    <message>
        <source>Read the messages</source>
        <translation>查看消息</translation>
    </message>
    <message>
        <source>Groups…</source>
        <translation>群体…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>What</source>
        <translation>什么事</translation>
    </message>
    <message>
        <source>Floors</source>
        <translation>楼层</translation>
    </message>
    <message>
        <source>Who knows</source>
        <translation>谁知道</translation>
    </message>
    <message>
        <source>Not for</source>
        <translation>瞒着谁</translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>To buffer</source>
        <translation>移回缓冲</translation>
    </message>
    <message>
        <source>Confirm</source>
        <translation>确认</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁定</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>解锁</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Invert selection</source>
        <translation>反选</translation>
    </message>
    <message>
        <source>Clear selection</source>
        <translation>清除选择</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) selected</source>
        <translation>
            <numerusform>已选 %n 条事件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Serving</name>
    <message>
        <source>Memory put in</source>
        <translation>已放入记忆</translation>
    </message>
    <message>
        <source>Nothing to add</source>
        <translation>无需补充</translation>
    </message>
    <message>
        <source>No known chat</source>
        <translation>没认出聊天</translation>
    </message>
    <message>
        <source>Not the story</source>
        <translation>不是剧情</translation>
    </message>
    <message>
        <source>Memory was late</source>
        <translation>记忆超时</translation>
    </message>
    <message>
        <source>Context full</source>
        <translation>放不下记忆</translation>
    </message>
    <message>
        <source>Memory failed</source>
        <translation>记忆出错</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>The request was sent on with the memory below.</source>
        <translation>请求带着下面的记忆转发了。</translation>
    </message>
    <message>
        <source>It was sent on as it came: memory had nothing to add to it.</source>
        <translation>原样转发：记忆没有可补充的内容。</translation>
    </message>
    <message>
        <source>It was sent on as it came: a wrong memory is worse than none. Say which chat it was, and it is known from now on.</source>
        <translation>原样转发：放错记忆不如不放。指明它是哪个聊天，以后就认得了。</translation>
    </message>
    <message>
        <source>It was sent on as it came, and nothing of it is kept: a summary, a title or a translation that a program asked for.</source>
        <translation>原样转发，也不保存：这是程序自己要的摘要、标题或翻译。</translation>
    </message>
    <message>
        <source>It was sent on without memory, so that the reply need not wait longer.</source>
        <translation>没有带上记忆就转发了，以免拖慢回复。</translation>
    </message>
    <message>
        <source>It was sent on without memory: the model takes no more. Let the program that asks send less of the chat, or summarise the oldest floors, so that memory can stand for them.</source>
        <translation>未带记忆发送：模型装不下更多了。请让前端少发一些聊天，或者先整理最早的楼层，让记忆代替它们。</translation>
    </message>
    <message>
        <source>It was sent on without memory.</source>
        <translation>没有带上记忆就转发了。</translation>
    </message>
    <message>
        <source>It was not sent on.</source>
        <translation>没有转发。</translation>
    </message>
    <message>
        <source>by the address</source>
        <translation>由地址指定</translation>
    </message>
    <message>
        <source>by its header</source>
        <translation>由请求头指定</translation>
    </message>
    <message>
        <source>said by the companion</source>
        <translation>由配套扩展告知</translation>
    </message>
    <message>
        <source>by its messages</source>
        <translation>由消息认出</translation>
    </message>
    <message>
        <source>as you said</source>
        <translation>按你的说明</translation>
    </message>
    <message>
        <source>by its character</source>
        <translation>由角色认出</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未认出</translation>
    </message>
    <message>
        <source>the messages were added to the chat</source>
        <translation>消息已加进聊天</translation>
    </message>
    <message>
        <source>a message was corrected as it reads there</source>
        <translation>一条消息已按那边的内容改过</translation>
    </message>
    <message>
        <source>the reply is another reading of the newest one</source>
        <translation>回复成为最新一条的另一个版本</translation>
    </message>
    <message>
        <source>the newest reply was continued</source>
        <translation>续写了最新回复</translation>
    </message>
    <message>
        <source>what was deleted there is gone here</source>
        <translation>那边删掉的，这里也删了</translation>
    </message>
    <message>
        <source>a branch was made where the story went another way</source>
        <translation>剧情走向不同，已建分支</translation>
    </message>
    <message>
        <source>a new chat was started</source>
        <translation>开始了一个新聊天</translation>
    </message>
    <message>
        <source>under way…</source>
        <translation>进行中…</translation>
    </message>
    <message>
        <source>Saving a setting</source>
        <translation>保存设置</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Not to be used again</source>
        <translation>不要再用</translation>
    </message>
    <message>
        <source>Noting which chat it was</source>
        <translation>正在记下是哪个聊天</translation>
    </message>
    <message>
        <source>Installing the companion</source>
        <translation>正在安装配套扩展</translation>
    </message>
    <message>
        <source>Saving the companion</source>
        <translation>正在保存配套扩展</translation>
    </message>
    <message>
        <source>This memory is not used again.</source>
        <translation>这条记忆不会再用。</translation>
    </message>
    <message>
        <source>Allow it again</source>
        <translation>重新允许</translation>
    </message>
    <message>
        <source>Allowing it again</source>
        <translation>正在重新允许</translation>
    </message>
    <message>
        <source>Noted: requests that go on from it are taken for that.</source>
        <translation>已记下：由此继续的请求都照此认定。</translation>
    </message>
    <message>
        <source>The companion is there.</source>
        <translation>配套扩展已就位。</translation>
    </message>
    <message>
        <source>Reload SillyTavern&apos;s page, open Extensions, and give the companion the address and the key.</source>
        <translation>刷新 SillyTavern 的页面，打开“扩展程序”，把地址和密钥填给配套扩展。</translation>
    </message>
</context>
<context>
    <name>ServingPage</name>
    <message>
        <source>Another program has this library open</source>
        <translation>另一个程序正打开着这个资料库</translation>
    </message>
    <message>
        <source>The server runs where the library is written to.</source>
        <translation>服务器只在能写入资料库的程序里运行。</translation>
    </message>
    <message>
        <source>Nothing has come through yet</source>
        <translation>还没有请求经过</translation>
    </message>
    <message>
        <source>Connect a program as described above, and say something in it.</source>
        <translation>按上面的步骤接好一个程序，在里面说一句话。</translation>
    </message>
    <message>
        <source>Memory for any chat program</source>
        <translation>让任何聊天程序都有记忆</translation>
    </message>
    <message>
        <source>SillyTavern, RisuAI, Open WebUI, LobeChat, Chatbox: what you play there is remembered here, and each reply knows it. Nothing to copy.</source>
        <translation>SillyTavern、RisuAI、Open WebUI、LobeChat、Chatbox：在那边演的都会记在这里，每条回复都带着记忆。无需手动复制。</translation>
    </message>
    <message>
        <source>Start the server</source>
        <translation>启动服务器</translation>
    </message>
    <message>
        <source>Install into SillyTavern…</source>
        <translation>安装到 SillyTavern…</translation>
    </message>
    <message>
        <source>Save as a folder to copy…</source>
        <translation>另存为文件夹，自行复制…</translation>
    </message>
    <message>
        <source>SillyTavern folder</source>
        <translation>SillyTavern 文件夹</translation>
    </message>
    <message>
        <source>A folder to save it in</source>
        <translation>保存到哪个文件夹</translation>
    </message>
</context>
<context>
    <name>SetFacet</name>
    <message>
        <source>Remove {word}</source>
        <translation>移除 {word}</translation>
    </message>
</context>
<context>
    <name>SettingPage</name>
    <message>
        <source>Show what was used…</source>
        <translation>查看用量…</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Restore defaults of this page</source>
        <translation>恢复本页默认值</translation>
    </message>
    <message>
        <source>Search the settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Pages of the settings</source>
        <translation>设置分页</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Key of a further endpoint</source>
        <translation>其他端点的密钥</translation>
    </message>
    <message>
        <source>Without a key of its own it is asked without one.</source>
        <translation>没有自己的密钥时不带密钥查询。</translation>
    </message>
    <message>
        <source>Token of the Chroma server</source>
        <translation>Chroma 服务器的令牌</translation>
    </message>
    <message>
        <source>Without a token it is asked without one.</source>
        <translation>没有令牌时不带令牌查询。</translation>
    </message>
    <message>
        <source>Defaults again: {names}</source>
        <translation>已恢复默认：{names}</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>SettingsForm</name>
    <message>
        <source>Summaries</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Automation</source>
        <translation>自动化</translation>
    </message>
    <message>
        <source>Limit and prices</source>
        <translation>用量上限与价格</translation>
    </message>
    <message>
        <source>Player</source>
        <translation>玩家</translation>
    </message>
    <message>
        <source>Text of messages</source>
        <translation>消息文本</translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation>缓冲</translation>
    </message>
    <message>
        <source>Recall and injection</source>
        <translation>召回与注入</translation>
    </message>
    <message>
        <source>Play, and who knows what</source>
        <translation>对话，以及谁知道什么</translation>
    </message>
    <message>
        <source>World books</source>
        <translation>世界书</translation>
    </message>
    <message>
        <source>Entities and relations</source>
        <translation>实体与关系</translation>
    </message>
    <message>
        <source>Vector index</source>
        <translation>向量索引</translation>
    </message>
    <message>
        <source>SillyTavern folder</source>
        <translation>SillyTavern 文件夹</translation>
    </message>
    <message>
        <source>Memory for other programs</source>
        <translation>联动（给其他程序的记忆）</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Keys and safety</source>
        <translation>密钥与安全</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Newer versions</source>
        <translation>新版本</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>Embedding model</source>
        <translation>嵌入模型</translation>
    </message>
    <message>
        <source>Reranker</source>
        <translation>重排模型</translation>
    </message>
    <message>
        <source>After the system prompt</source>
        <translation>系统提示词之后</translation>
    </message>
    <message>
        <source>Some messages before the end</source>
        <translation>末尾若干条消息之前</translation>
    </message>
    <message>
        <source>Before the last message</source>
        <translation>最后一条消息之前</translation>
    </message>
    <message>
        <source>Those who speak there</source>
        <translation>在那里说话的人</translation>
    </message>
    <message>
        <source>Nobody</source>
        <translation>谁都不知道</translation>
    </message>
    <message>
        <source>What was recalled comes last</source>
        <translation>召回的放在最后</translation>
    </message>
    <message>
        <source>All in story order</source>
        <translation>全部按剧情顺序</translation>
    </message>
    <message>
        <source>What was said, when and by whom</source>
        <translation>何时、谁、说了什么</translation>
    </message>
    <message>
        <source>How long ago, and who said it</source>
        <translation>多久以前、谁说的</translation>
    </message>
    <message>
        <source>Lightly, never recited</source>
        <translation>淡淡带过，不复述</translation>
    </message>
    <message>
        <source>Both, by their order</source>
        <translation>两者按顺序混排</translation>
    </message>
    <message>
        <source>The character&apos;s books first</source>
        <translation>角色的世界书优先</translation>
    </message>
    <message>
        <source>The global books first</source>
        <translation>全局世界书优先</translation>
    </message>
    <message>
        <source>Extractive, without a model</source>
        <translation>抽取式，不用模型</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>Rules, at once</source>
        <translation>按规则，立即</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>函数调用</translation>
    </message>
    <message>
        <source>Marks in the text</source>
        <translation>文中标签</translation>
    </message>
    <message>
        <source>Vectors only</source>
        <translation>仅向量</translation>
    </message>
    <message>
        <source>Vectors and graph</source>
        <translation>向量与图谱</translation>
    </message>
    <message>
        <source>Those ticked, with their branches</source>
        <translation>勾选的聊天及其分支</translation>
    </message>
    <message>
        <source>Every chat</source>
        <translation>所有聊天</translation>
    </message>
    <message>
        <source>Exact search</source>
        <translation>精确检索</translation>
    </message>
    <message>
        <source>Multilingual sentence encoder</source>
        <translation>多语言句子编码器</translation>
    </message>
    <message>
        <source>Character hashes (for tests)</source>
        <translation>字符哈希（测试用）</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>None</source>
        <translation>不使用</translation>
    </message>
    <message>
        <source>The address below</source>
        <translation>下面的地址</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Comfortable, two lines</source>
        <translation>宽松，两行</translation>
    </message>
    <message>
        <source>Compact, one line</source>
        <translation>紧凑，一行</translation>
    </message>
    <message>
        <source>The system&apos;s keyring</source>
        <translation>系统密钥环</translation>
    </message>
    <message>
        <source>Memory, until the program ends</source>
        <translation>内存，退出即忘</translation>
    </message>
    <message>
        <source>A file, not encrypted</source>
        <translation>文件，未加密</translation>
    </message>
    <message>
        <source>The story first, what is recalled last</source>
        <translation>剧情在前，召回在后</translation>
    </message>
    <message>
        <source>Saving a setting</source>
        <translation>保存设置</translation>
    </message>
    <message>
        <source>Restoring defaults</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Putting settings back</source>
        <translation>放回原来的设置</translation>
    </message>
</context>
<context>
    <name>SheetDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Put in the centre</source>
        <translation>放到中心</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>档案</translation>
    </message>
    <message>
        <source>Nothing is written in the profile yet.</source>
        <translation>档案里还没有内容。</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>关系</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n 个事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n relation(s)</source>
        <translation>
            <numerusform>%n 条关系</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SideForm</name>
    <message>
        <source>No matter how old</source>
        <translation>不看新旧</translation>
    </message>
    <message>
        <source>Embedder in use</source>
        <translation>当前的嵌入模型</translation>
    </message>
    <message>
        <source>Built-in embedder</source>
        <translation>内置嵌入模型</translation>
    </message>
    <message>
        <source>Plain spelling</source>
        <translation>只看字形</translation>
    </message>
    <message>
        <source>Reword</source>
        <translation>改写</translation>
    </message>
    <message>
        <source>Rerank</source>
        <translation>重排</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>Prefer what is recent</source>
        <translation>偏向新近的记忆</translation>
    </message>
    <message>
        <source>Embedder</source>
        <translation>嵌入模型</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Chats</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Search everything</source>
        <translation>搜索一切</translation>
    </message>
    <message>
        <source>Filter chats</source>
        <translation>筛选聊天</translation>
    </message>
    <message>
        <source>Library health</source>
        <translation>资料库健康</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>联动</translation>
    </message>
    <message>
        <source>SillyTavern folder</source>
        <translation>SillyTavern 文件夹</translation>
    </message>
    <message>
        <source>Scripts and prompts</source>
        <translation>脚本与提示词</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>The memory server runs</source>
        <translation>记忆服务器正在运行</translation>
    </message>
    <message>
        <source>Memory for other chat programs</source>
        <translation>给其他聊天程序的记忆</translation>
    </message>
    <message>
        <source>Overview of the chat</source>
        <translation>这个聊天的总览</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>资料库</translation>
    </message>
    <message>
        <source>Deleted chats</source>
        <translation>已删除的聊天</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Take over memories of other tools…</source>
        <translation>接收其他工具的记忆…</translation>
    </message>
    <message>
        <source>Make a volume…</source>
        <translation>制作记忆册…</translation>
    </message>
    <message>
        <source>Volumes…</source>
        <translation>记忆册…</translation>
    </message>
    <message>
        <source>Markdown folder…</source>
        <translation>Markdown 文件夹…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Delete the chat</source>
        <translation>删除聊天</translation>
    </message>
    <message>
        <source>Delete “{name}” with all its memory?</source>
        <translation>删除“{name}”及其全部记忆？</translation>
    </message>
    <message>
        <source>It goes to the trash, from where it can be brought back.</source>
        <translation>它会进入回收站，随时可以恢复。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>Skeleton</name>
    <message>
        <source>Reading…</source>
        <translation>读取中…</translation>
    </message>
</context>
<context>
    <name>SkeletonLines</name>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
</context>
<context>
    <name>SortButton</name>
    <message>
        <source>The other way round</source>
        <translation>倒过来</translation>
    </message>
    <message>
        <source>Apply this sorting as order…</source>
        <translation>将此排序应用为顺序…</translation>
    </message>
    <message>
        <source>Sort entries: {how}</source>
        <translation>条目排序：{how}</translation>
    </message>
</context>
<context>
    <name>SortDialog</name>
    <message>
        <source>Apply the sorting as order</source>
        <translation>将排序应用为顺序</translation>
    </message>
    <message>
        <source>Every entry gets an order by its place in the list: the uppermost has the highest, is looked at first and stands nearest to the chat.</source>
        <translation>每个条目按它在列表中的位置得到一个顺序值：最上面的值最大，最先被考虑，也离聊天最近。</translation>
    </message>
    <message>
        <source>Order of the uppermost entry</source>
        <translation>最上面条目的顺序值</translation>
    </message>
    <message>
        <source>What changes</source>
        <translation>哪些会变</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>Order now</source>
        <translation>现在的顺序</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) get another order</source>
        <translation>
            <numerusform>%n 个条目的顺序会变</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing changes</source>
        <translation>没有变化</translation>
    </message>
</context>
<context>
    <name>SourceDialog</name>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Remembered of these floors</source>
        <translation>这些楼层的记忆</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{name} · floor {floor}</source>
        <translation>{name} · {floor} 楼</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>谁知道这件事…</translation>
    </message>
    <message>
        <source>As a model reads it</source>
        <translation>模型读到的样子</translation>
    </message>
    <message>
        <source>Floor {floor} as a model reads it</source>
        <translation>第 {floor} 楼：模型读到的样子</translation>
    </message>
</context>
<context>
    <name>SourceList</name>
    <message>
        <source>Where it comes from</source>
        <translation>出自哪里</translation>
    </message>
    <message>
        <source>No line bears this out:</source>
        <translation>没有原文支持：</translation>
    </message>
    <message>
        <source>said by no line: {words}</source>
        <translation>原文中没有提到：{words}</translation>
    </message>
    <message>
        <source>Read it in the chat</source>
        <translation>在原文中阅读</translation>
    </message>
</context>
<context>
    <name>SplitDialog</name>
    <message>
        <source>Split the event</source>
        <translation>拆分事件</translation>
    </message>
    <message>
        <source>The second part begins at floor</source>
        <translation>第二部分从哪一楼开始</translation>
    </message>
    <message>
        <source>Summary of the first part</source>
        <translation>第一部分的内容</translation>
    </message>
    <message>
        <source>Summary of the second part</source>
        <translation>第二部分的内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>拆分</translation>
    </message>
</context>
<context>
    <name>Start</name>
    <message>
        <source>It opens here as soon as the other program closes it. Close that window, or wait.</source>
        <translation>对方放开后，这里会自动打开。请关闭另一个窗口，或稍等。</translation>
    </message>
    <message>
        <source>That program seems to have ended without releasing it. If you are sure that nothing uses the library, it can be opened anyway.</source>
        <translation>那个程序似乎已经结束，却没有放开资料库。如果确定没有程序在用它，可以强行打开。</translation>
    </message>
    <message>
        <source>Open anyway</source>
        <translation>强行打开</translation>
    </message>
    <message>
        <source>Do not open</source>
        <translation>不打开</translation>
    </message>
    <message>
        <source>Restore the backup of {moment}? The damaged files are kept in the trash folder.</source>
        <translation>要恢复 {moment} 的备份吗？损坏的文件会保留在回收文件夹中。</translation>
    </message>
    <message>
        <source>The library is moved to {path}.</source>
        <translation>正在把资料库移到 {path}。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The library lies in {path} now.</source>
        <translation>资料库现在位于 {path}。</translation>
    </message>
    <message>
        <source>Where it was it is kept as {path}; delete that when all is well.</source>
        <translation>原来的文件夹保留为 {path}；确认一切正常后可自行删除。</translation>
    </message>
    <message>
        <source>The backup is in place.</source>
        <translation>备份已恢复。</translation>
    </message>
    <message>
        <source>Look whether everything is there. Until you leave safe mode nothing is summarised, followed or served by itself.</source>
        <translation>请确认内容是否齐全。退出安全模式之前，不会自动总结、跟随聊天或启动服务器。</translation>
    </message>
    <message>
        <source>Leave safe mode</source>
        <translation>退出安全模式</translation>
    </message>
    <message>
        <source>The library lies in a folder of {name}.</source>
        <translation>资料库位于 {name} 的同步文件夹中。</translation>
    </message>
    <message>
        <source>A program that copies a library while it is used can damage it. Move it to a folder of this computer alone, and keep backups there instead.</source>
        <translation>同步程序会在资料库使用时复制它，可能造成损坏。请移到只属于这台电脑的文件夹，只把备份放在那里。</translation>
    </message>
    <message>
        <source>Move it…</source>
        <translation>移动…</translation>
    </message>
</context>
<context>
    <name>StartDialog</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>The name used last</source>
        <translation>上次用的名字</translation>
    </message>
    <message>
        <source>Your name in the story</source>
        <translation>你在故事里的名字</translation>
    </message>
    <message>
        <source>How it begins</source>
        <translation>开场白</translation>
    </message>
    <message>
        <source>What is said first</source>
        <translation>开场白内容</translation>
    </message>
    <message>
        <source>Or play a scene of ours, without a model</source>
        <translation>或者不用模型，演一段现成的</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Search characters</source>
        <translation>搜索角色</translation>
    </message>
    <message>
        <source>Import a card…</source>
        <translation>导入角色卡…</translation>
    </message>
    <message>
        <source>Who plays; several make one scene</source>
        <translation>谁登场；选几个就是同场</translation>
    </message>
    <message>
        <source>No character yet. Import a card: PNG, JSON or CHARX.</source>
        <translation>还没有角色。导入一张卡：PNG、JSON 或 CHARX。</translation>
    </message>
</context>
<context>
    <name>StateCurve</name>
    <message>
        <source>How the value changed</source>
        <translation>数值变化曲线</translation>
    </message>
    <message>
        <source>from {first} to {last}, lowest {low}, highest {high}</source>
        <translation>从 {first} 到 {last}，最低 {low}，最高 {high}</translation>
    </message>
</context>
<context>
    <name>StateDialog</name>
    <message>
        <source>Add a value</source>
        <translation>添加状态</translation>
    </message>
    <message>
        <source>For example: Alice.affection</source>
        <translation>例如：爱丽丝.好感度</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Place, its parts with dots between</source>
        <translation>位置（各级之间用点隔开）</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>It counts from the newest message on and can be undone.</source>
        <translation>从最新一条消息起生效，可以撤销。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
</context>
<context>
    <name>StatePage</name>
    <message>
        <source>Search the state</source>
        <translation>搜索状态</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>添加…</translation>
    </message>
    <message>
        <source>The state of the story</source>
        <translation>剧情状态</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Since floor</source>
        <translation>变动楼层</translation>
    </message>
    <message>
        <source>No state yet</source>
        <translation>还没有状态</translation>
    </message>
    <message>
        <source>Values a story changes, such as affection or money, appear here when replies carry &lt;state_update&gt; or &lt;UpdateVariable&gt;, or SillyTavern keeps variables.</source>
        <translation>回复中带有 &lt;state_update&gt;、&lt;UpdateVariable&gt;，或 SillyTavern 记录了变量时，好感度、金钱等数值会显示在这里。</translation>
    </message>
    <message>
        <source>Add a value…</source>
        <translation>添加状态…</translation>
    </message>
    <message>
        <source>Nothing yet at this floor</source>
        <translation>到这一楼还没有状态</translation>
    </message>
    <message>
        <source>Move the slider on.</source>
        <translation>请把滑块往后移。</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation>
            <numerusform>%n 个状态</numerusform>
        </translation>
    </message>
    <message>
        <source>the first {most} are shown</source>
        <translation>只显示前 {most} 个</translation>
    </message>
    <message numerus="yes">
        <source>%n update(s) could not be read</source>
        <translation>
            <numerusform>%n 处更新无法读取</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatePanel</name>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Value from now on</source>
        <translation>从现在起的值</translation>
    </message>
    <message>
        <source>What changed it</source>
        <translation>变动记录</translation>
    </message>
    <message>
        <source>Double click reads the message.</source>
        <translation>双击可查看对应消息。</translation>
    </message>
    <message>
        <source>Remove this value</source>
        <translation>删除这个状态</translation>
    </message>
    <message>
        <source>All changes</source>
        <translation>全部变动</translation>
    </message>
    <message>
        <source>Choose a value to see its own, and to change it.</source>
        <translation>选择一个状态可查看它的变动并修改。</translation>
    </message>
    <message>
        <source>Floor {floor}</source>
        <translation>{floor} 楼</translation>
    </message>
</context>
<context>
    <name>StateView</name>
    <message>
        <source>the beginning</source>
        <translation>初始状态</translation>
    </message>
    <message>
        <source>the reply</source>
        <translation>来自回复</translation>
    </message>
    <message>
        <source>SillyTavern&apos;s variables</source>
        <translation>来自 SillyTavern 变量</translation>
    </message>
    <message>
        <source>looking back</source>
        <translation>回顾</translation>
    </message>
    <message>
        <source>you</source>
        <translation>手动修改</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Changing the state</source>
        <translation>正在修改状态</translation>
    </message>
</context>
<context>
    <name>StepList</name>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
</context>
<context>
    <name>StepStrip</name>
    <message>
        <source>How far the memory is</source>
        <translation>记忆的进度</translation>
    </message>
    <message>
        <source>Memory is being made…</source>
        <translation>正在生成记忆…</translation>
    </message>
    <message numerus="yes">
        <source>%n floor(s) are not in memory yet</source>
        <translation>
            <numerusform>%n 楼尚未成为记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) wait for your review</source>
        <translation>
            <numerusform>%n 个区块等待审阅</numerusform>
        </translation>
    </message>
    <message>
        <source>What was made of them becomes events once you have looked through it.</source>
        <translation>审阅之后，其中的内容会成为事件。</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>审阅…</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) could not be read</source>
        <translation>
            <numerusform>%n 个区块无法读取</numerusform>
        </translation>
    </message>
    <message>
        <source>The answers were kept: mend them, or ask again.</source>
        <translation>回答已保留：可以修正，或重新请求。</translation>
    </message>
    <message>
        <source>Look at them…</source>
        <translation>查看…</translation>
    </message>
    <message>
        <source>Decide…</source>
        <translation>决定…</translation>
    </message>
    <message>
        <source>A summary turns them into events you can read, correct and recall.</source>
        <translation>生成摘要后，它们会成为可以阅读、修改和召回的事件。</translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation>生成摘要…</translation>
    </message>
    <message numerus="yes">
        <source>The buffer is full: %n event(s)</source>
        <translation>
            <numerusform>缓冲区已满：%n 条事件</numerusform>
        </translation>
    </message>
    <message>
        <source>Consolidated, they are recalled when the story needs them.</source>
        <translation>整理之后，故事需要时会召回它们。</translation>
    </message>
    <message>
        <source>Consolidate…</source>
        <translation>整理记忆…</translation>
    </message>
    <message>
        <source>Made without a model, on this computer</source>
        <translation>未使用模型，在本机生成</translation>
    </message>
    <message numerus="yes">
        <source>With a model, the story, the people and what binds them get richer: about {tokens} tokens for these %n floor(s).</source>
        <translation>
            <numerusform>接入模型后，故事、人物及其关系会更丰富：这 %n 楼大约需要 {tokens} tokens。</numerusform>
        </translation>
    </message>
    <message>
        <source>Connect a model…</source>
        <translation>连接模型…</translation>
    </message>
    <message>
        <source>Memory is up to date</source>
        <translation>记忆已是最新</translation>
    </message>
    <message>
        <source>Play on</source>
        <translation>继续游玩</translation>
    </message>
</context>
<context>
    <name>StepsDialog</name>
    <message>
        <source>Floor {floor} as a model reads it</source>
        <translation>第 {floor} 楼：模型读到的样子</translation>
    </message>
    <message>
        <source>The message itself stays as it was written. Choose a step to see its text.</source>
        <translation>消息本身不会改变。选择一步，查看处理后的文字。</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Text after this step</source>
        <translation>这一步之后的文字</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{name}: not done</source>
        <translation>{name}：未执行</translation>
    </message>
    <message>
        <source>{name}: changed</source>
        <translation>{name}：有改动</translation>
    </message>
    <message>
        <source>{name}: nothing to do</source>
        <translation>{name}：无改动</translation>
    </message>
</context>
<context>
    <name>StoryCalendar</name>
    <message>
        <source>No date</source>
        <translation>没有日期</translation>
    </message>
    <message>
        <source>Day {number}</source>
        <translation>第 {number} 天</translation>
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
        <translation>合并为“{name}”</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>以后再说</translation>
    </message>
    <message>
        <source>Not the same</source>
        <translation>不是同一个</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n 个事件</numerusform>
        </translation>
    </message>
    <message>
        <source>also {names}</source>
        <translation>又名 {names}</translation>
    </message>
</context>
<context>
    <name>SummariseDialog</name>
    <message>
        <source>Summarise</source>
        <translation>生成摘要</translation>
    </message>
    <message>
        <source>Each block of floors is read once and becomes events in the buffer.</source>
        <translation>每个区块的楼层只读一次，变成缓冲区里的事件。</translation>
    </message>
    <message>
        <source>Everything not yet summarised</source>
        <translation>全部未摘要的楼层</translation>
    </message>
    <message>
        <source>Make them again, to compare with what is there</source>
        <translation>重做一份，与现有内容对比</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>There is nothing left to summarise.</source>
        <translation>没有需要摘要的楼层。</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) were answered before and cost nothing.</source>
        <translation>
            <numerusform>其中 %n 个区块之前已得到回答，不再花费。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) wait for your review.</source>
        <translation>
            <numerusform>有 %n 个区块等你审阅。</numerusform>
        </translation>
    </message>
    <message>
        <source>To get another summary of these floors, make them again.</source>
        <translation>想要这些楼层的另一份摘要，请勾选重做。</translation>
    </message>
    <message>
        <source>The newest floors are left alone while they may still change.</source>
        <translation>最新的楼层可能还会改动，暂不处理。</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s), floors {first}–{last}</source>
        <translation>
            <numerusform>%n 个区块，{first}–{last} 楼</numerusform>
        </translation>
    </message>
    <message>
        <source>{model} is asked once per block: about {tokens} tokens to read.</source>
        <translation>每个区块调用一次 {model}，约读取 {tokens} tokens。</translation>
    </message>
    <message>
        <source>Without a model: key sentences, names and places. Nothing is sent.</source>
        <translation>不用模型：提取关键句、人名和地点，不发送任何内容。</translation>
    </message>
</context>
<context>
    <name>SwitchCard</name>
    <message>
        <source>Chat programs talk to this address instead of their model&apos;s. Each reply is written with the right memories, and becomes memory itself.</source>
        <translation>让聊天程序改连这个地址，代替模型的地址。每条回复都带着合适的记忆写成，随后自己也成为记忆。</translation>
    </message>
    <message>
        <source>Start with the program</source>
        <translation>随程序启动</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Copy the key</source>
        <translation>复制密钥</translation>
    </message>
    <message>
        <source>Make another key: programs with this one are refused then</source>
        <translation>换一个密钥：用旧密钥的程序会被拒绝</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>接入</translation>
    </message>
    <message>
        <source>Companion for SillyTavern…</source>
        <translation>SillyTavern 配套扩展…</translation>
    </message>
    <message>
        <source>Memory server: on</source>
        <translation>记忆服务器：开</translation>
    </message>
    <message>
        <source>Memory server: off</source>
        <translation>记忆服务器：关</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>(copied above)</source>
        <translation>（上面可复制）</translation>
    </message>
    <message>
        <source>No endpoint is set up: there is nowhere to send requests to. Settings…</source>
        <translation>还没有设置接口：请求无处转发。请先到设置里填写。</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between addresses</comment>
        <translation>，</translation>
    </message>
    <message>
        <source>Open to the network: {addresses}</source>
        <translation>已对局域网开放：{addresses}</translation>
    </message>
    <message>
        <source>The key could not be kept: the next start makes another.</source>
        <translation>密钥无法保存：下次启动会换一个新的。</translation>
    </message>
</context>
<context>
    <name>TaskLine</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
</context>
<context>
    <name>TaskPanel</name>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Nothing is running.</source>
        <translation>没有正在运行的任务。</translation>
    </message>
</context>
<context>
    <name>TavernDialog</name>
    <message>
        <source>SillyTavern folder</source>
        <translation>SillyTavern 文件夹</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Follow every chat, new ones too</source>
        <translation>跟随所有聊天，包括新建的</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Search everything in the folder</source>
        <translation>搜索文件夹里的一切</translation>
    </message>
    <message>
        <source>Taking in</source>
        <translation>正在导入</translation>
    </message>
    <message>
        <source>Tick what is new</source>
        <translation>勾选新内容</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Tick what to take in. A chat brings the card of its character, and a card its picture, world books and scripts. The folder itself is only read, never changed.</source>
        <translation>勾选要导入的内容。聊天会带上其角色的角色卡，角色卡会带上头像、世界书和脚本。文件夹本身只读，绝不改动。</translation>
    </message>
    <message>
        <source>World book</source>
        <translation>世界书</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Regex script</source>
        <translation>正则脚本</translation>
    </message>
    <message>
        <source>Looks for</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Kind and scripts</source>
        <translation>类型与脚本</translation>
    </message>
    <message>
        <source>Persona</source>
        <translation>人设</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>Characters and chats</source>
        <translation>角色与聊天</translation>
    </message>
    <message>
        <source>World books</source>
        <translation>世界书</translation>
    </message>
    <message>
        <source>Regex scripts</source>
        <translation>正则脚本</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Personas</source>
        <translation>人设</translation>
    </message>
    <message>
        <source>Prompts of the preset</source>
        <translation>预设的提示词</translation>
    </message>
    <message>
        <source>Choose a preset to read its prompts.</source>
        <translation>选中一个预设，查看它的提示词。</translation>
    </message>
    <message>
        <source>at depth {depth}</source>
        <translation>深度 {depth}</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Follow the chats: new messages appear here a moment later</source>
        <translation>跟随这些聊天：之后在那边说的话，片刻后就会出现在这里</translation>
    </message>
    <message>
        <source>Choose the SillyTavern folder</source>
        <translation>选择 SillyTavern 文件夹</translation>
    </message>
    <message>
        <source>No folder is chosen yet.</source>
        <translation>尚未选择文件夹。</translation>
    </message>
    <message numerus="yes">
        <source>Take in %n thing(s)</source>
        <translation>
            <numerusform>导入 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Take in</source>
        <translation>导入</translation>
    </message>
    <message numerus="yes">
        <source>Stop following %n chat(s)</source>
        <translation>
            <numerusform>停止跟随 %n 个聊天</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TavernModel</name>
    <message>
        <source>Importing from SillyTavern</source>
        <translation>正在从 SillyTavern 导入</translation>
    </message>
    <message>
        <source>Following SillyTavern · {when}</source>
        <translation>正在跟随 SillyTavern · {when}</translation>
    </message>
    <message>
        <source>Another copy of a chat: {file}</source>
        <translation>聊天的另一份副本：{file}</translation>
    </message>
    <message>
        <source>Show the branch</source>
        <translation>显示这个分支</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n 个聊天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n character card(s)</source>
        <translation>
            <numerusform>%n 张角色卡</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n world book(s)</source>
        <translation>
            <numerusform>%n 本世界书</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n regex script(s)</source>
        <translation>
            <numerusform>%n 个正则脚本</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n persona(s)</source>
        <translation>
            <numerusform>%n 个人设</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 条</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing new was found</source>
        <translation>没有发现新内容</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) added</source>
        <translation>
            <numerusform>新增 %n 条消息</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TavernStep</name>
    <message>
        <source>Your SillyTavern</source>
        <translation>你的 SillyTavern</translation>
    </message>
    <message>
        <source>Its chats, characters and world books are read, and the chats followed as they go on. Nothing in its folder is ever changed.</source>
        <translation>读取其中的聊天、角色和世界书，并跟随聊天的后续进展。绝不改动它的文件夹。</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Looking in the places it is usually put…</source>
        <translation>正在常见位置查找…</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n 个聊天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n character(s)</source>
        <translation>
            <numerusform>%n 个角色</numerusform>
        </translation>
    </message>
    <message>
        <source>Take it in</source>
        <translation>全部导入</translation>
    </message>
    <message>
        <source>It was not found in the usual places.</source>
        <translation>在常见位置没有找到。</translation>
    </message>
    <message>
        <source>Taking it in; you can go on meanwhile.</source>
        <translation>正在导入，你可以先继续。</translation>
    </message>
    <message>
        <source>It is in the library, and its chats are followed.</source>
        <translation>已导入资料库，并会跟随其中的聊天。</translation>
    </message>
</context>
<context>
    <name>TextPromptModel</name>
    <message>
        <source>No chat is shown.</source>
        <translation>当前没有打开聊天。</translation>
    </message>
</context>
<context>
    <name>TextsDialog</name>
    <message>
        <source>Scripts and prompts</source>
        <translation>脚本与提示词</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Scripts and rules</source>
        <translation>脚本与规则</translation>
    </message>
    <message>
        <source>Text completion</source>
        <translation>文本补全</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ThreadLanes</name>
    <message numerus="yes">
        <source>%n thread(s) open</source>
        <translation>
            <numerusform>%n 处伏笔未了结</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TickTree</name>
    <message>
        <source>in the library</source>
        <translation>已在资料库</translation>
    </message>
    <message>
        <source>newer there</source>
        <translation>有更新</translation>
    </message>
    <message>
        <source>followed</source>
        <translation>跟随中</translation>
    </message>
</context>
<context>
    <name>TimeBar</name>
    <message>
        <source>Play the story forward</source>
        <translation>播放故事</translation>
    </message>
    <message>
        <source>As of floor</source>
        <translation>截至楼层</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>回到现在</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Show the side panel</source>
        <translation>显示侧栏</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>Private logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图谱</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>分支</translation>
    </message>
    <message numerus="yes">
        <source>{name} · %n floor(s)</source>
        <translation>
            <numerusform>{name} · %n 楼</numerusform>
        </translation>
    </message>
    <message>
        <source>Fork, compare, roll back…</source>
        <translation>分支、比较、回退…</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>总览</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>召回</translation>
    </message>
    <message>
        <source>World books</source>
        <translation>世界书</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>真伪</translation>
    </message>
    <message>
        <source>Inbox</source>
        <translation>待办</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>联动</translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation>生成摘要…</translation>
    </message>
    <message>
        <source>Trim: merge old events into outlines</source>
        <translation>精简：把旧事件合并为大纲</translation>
    </message>
    <message>
        <source>Main line</source>
        <translation>主线</translation>
    </message>
    <message>
        <source>Consolidate {n}</source>
        <translation>整理记忆  {n}</translation>
    </message>
    <message>
        <source>Consolidate</source>
        <translation>整理记忆</translation>
    </message>
    <message numerus="yes">
        <source>%n item(s) wait</source>
        <translation>
            <numerusform>%n 项待办</numerusform>
        </translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message numerus="yes">
        <source>Archive %n event(s) of the buffer</source>
        <translation>
            <numerusform>归档缓冲区的 %n 条事件</numerusform>
        </translation>
    </message>
    <message>
        <source>The buffer is empty: there is nothing to archive.</source>
        <translation>缓冲区是空的，没有可归档的事件。</translation>
    </message>
</context>
<context>
    <name>TraceCard</name>
    <message>
        <source>from a volume</source>
        <translation>来自记忆册</translation>
    </message>
    <message>
        <source>Allow again</source>
        <translation>重新允许</translation>
    </message>
    <message>
        <source>{leg}: place {place}</source>
        <translation>{leg}：第 {place} 名</translation>
    </message>
    <message>
        <source>against it: {legs}</source>
        <translation>减分：{legs}</translation>
    </message>
    <message>
        <source>Nothing spoke for it</source>
        <translation>没有任何依据</translation>
    </message>
</context>
<context>
    <name>TrashDialog</name>
    <message>
        <source>Deleted chats</source>
        <translation>已删除的聊天</translation>
    </message>
    <message>
        <source>A chat that is brought back is what it was: its memory, its settings, its world books.</source>
        <translation>恢复的聊天与删除前一样：记忆、设置和世界书都在。</translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation>彻底删除…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>恢复</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s), {size}</source>
        <translation>
            <numerusform>%n 个聊天，{size}</numerusform>
        </translation>
    </message>
    <message>
        <source>No chat was deleted.</source>
        <translation>没有已删除的聊天。</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>彻底删除</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chat(s) for good?</source>
        <translation>
            <numerusform>彻底删除 %n 个聊天？</numerusform>
        </translation>
    </message>
    <message>
        <source>Their memory cannot be brought back. Files they were imported from stay.</source>
        <translation>它们的记忆将无法恢复。导入时的原文件不受影响。</translation>
    </message>
</context>
<context>
    <name>TrashList</name>
    <message>
        <source>Deleting the chat</source>
        <translation>删除聊天</translation>
    </message>
    <message>
        <source>The chat “{name}” was deleted</source>
        <translation>已删除聊天“{name}”</translation>
    </message>
    <message>
        <source>It lies in the trash, above the list of chats.</source>
        <translation>可在聊天列表上方的回收站中找到它。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Bringing chats back</source>
        <translation>恢复聊天</translation>
    </message>
    <message>
        <source>Deleting for good</source>
        <translation>彻底删除</translation>
    </message>
</context>
<context>
    <name>TrimDialog</name>
    <message>
        <source>Trim into outlines</source>
        <translation>精简为大纲</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>正在计划…</translation>
    </message>
    <message>
        <source>An outline takes the place of the oldest events that are always visible. The events stay, are recalled as before, and come back when the outline is taken apart.</source>
        <translation>大纲会顶替最旧的常驻事件。事件本身保留，照常可被召回；拆开大纲即可恢复。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Make outlines</source>
        <translation>生成大纲</translation>
    </message>
    <message>
        <source>There is nothing to trim.</source>
        <translation>没有可精简的内容。</translation>
    </message>
    <message numerus="yes">
        <source>%n archived event(s) are in no outline.</source>
        <translation>
            <numerusform>有 %n 条归档事件没有任何大纲讲述。</numerusform>
        </translation>
    </message>
    <message>
        <source>Always visible: {used} of {limit} tokens.</source>
        <translation>常驻：{used} / {limit} token。</translation>
    </message>
</context>
<context>
    <name>TurnPanel</name>
    <message>
        <source>Nothing is noted of this message: it was not said on this page.</source>
        <translation>这条消息没有记录：它不是在这一页说的。</translation>
    </message>
    <message>
        <source>Event recorded</source>
        <translation>记下的事件</translation>
    </message>
    <message>
        <source>Taken for</source>
        <translation>判断为</translation>
    </message>
    <message>
        <source>What was recalled</source>
        <translation>想起了什么</translation>
    </message>
    <message>
        <source>Double click reads the messages it came from.</source>
        <translation>双击查看它来自的消息。</translation>
    </message>
    <message>
        <source>Changed in the state</source>
        <translation>状态的变化</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>没有</translation>
    </message>
    <message>
        <source>What it came to</source>
        <translation>变成了</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>更正</translation>
    </message>
    <message>
        <source>It did not</source>
        <translation>没有变</translation>
    </message>
    <message>
        <source>This turn did not change the value</source>
        <translation>这一轮没有改变这个值</translation>
    </message>
    <message>
        <source>Curves are on the page State</source>
        <translation>曲线在“状态”页</translation>
    </message>
    <message>
        <source>Only thought</source>
        <translation>只在心里</translation>
    </message>
    <message>
        <source>Floor {floor}</source>
        <translation>第 {floor} 楼</translation>
    </message>
    <message>
        <source>What a turn left is yours to see, and nobody else&apos;s.</source>
        <translation>一轮留下的东西只有你能看，不属于任何角色的视角。</translation>
    </message>
    <message>
        <source>{model}: {prompt} + {completion} tokens</source>
        <translation>{model}：{prompt} + {completion} token</translation>
    </message>
    <message>
        <source>Recalled for {name}</source>
        <translation>为{name}想起</translation>
    </message>
</context>
<context>
    <name>TurnView</name>
    <message>
        <source>Correcting a turn</source>
        <translation>更正一轮</translation>
    </message>
</context>
<context>
    <name>UndoActions</name>
    <message>
        <source>{step} (undone)</source>
        <translation>{step}（已撤销）</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo: {step}</source>
        <translation>撤销 {step}</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Redo: {step}</source>
        <translation>重做 {step}</translation>
    </message>
    <message>
        <source>Undoing</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redoing</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Undone: {step}</source>
        <translation>已撤销：{step}</translation>
    </message>
    <message>
        <source>Done again: {step}</source>
        <translation>已重做：{step}</translation>
    </message>
</context>
<context>
    <name>UndoStrip</name>
    <message>
        <source>History…</source>
        <translation>历史记录…</translation>
    </message>
</context>
<context>
    <name>UnsavedFields</name>
    <message>
        <source>What was typed here before is back. It is not saved yet.</source>
        <translation>之前在这里输入的文字已找回，尚未保存。</translation>
    </message>
</context>
<context>
    <name>UpstreamKeyForm</name>
    <message>
        <source>API key</source>
        <translation>API 密钥</translation>
    </message>
    <message>
        <source>Keep the key</source>
        <translation>保存密钥</translation>
    </message>
    <message>
        <source>A key is stored. Type to replace it.</source>
        <translation>已存有密钥，输入即可替换。</translation>
    </message>
</context>
<context>
    <name>Usage</name>
    <message>
        <source>Summaries</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Trimming</source>
        <translation>精简</translation>
    </message>
    <message>
        <source>Entity profiles</source>
        <translation>实体档案</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>召回</translation>
    </message>
    <message>
        <source>Triage</source>
        <translation>分流</translation>
    </message>
    <message>
        <source>Reflection</source>
        <translation>回顾</translation>
    </message>
    <message>
        <source>Replies</source>
        <translation>回复</translation>
    </message>
</context>
<context>
    <name>UsageDialog</name>
    <message>
        <source>Usage</source>
        <translation>用量</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>读取中…</translation>
    </message>
    <message>
        <source>The requests themselves…</source>
        <translation>逐条查看请求…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>输入 token</translation>
    </message>
    <message>
        <source>Answer tokens</source>
        <translation>输出 token</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Today: {spent} of {cap} tokens</source>
        <translation>今日：{spent} / {cap} token</translation>
    </message>
    <message>
        <source>Today: {spent} tokens, no limit is set</source>
        <translation>今日：{spent} token，未设上限</translation>
    </message>
    <message>
        <source>No model has been asked yet.</source>
        <translation>还没有请求过模型。</translation>
    </message>
    <message>
        <source>Enter prices in the settings to see what it cost.</source>
        <translation>在设置中填入价格即可看到费用。</translation>
    </message>
    <message>
        <source>Altogether {money}</source>
        <translation>合计 {money}</translation>
    </message>
</context>
<context>
    <name>ViewpointButton</name>
    <message>
        <source>Seen by whom</source>
        <translation>以谁的视角</translation>
    </message>
    <message>
        <source>Everything, as you see it</source>
        <translation>全部（你的视角）</translation>
    </message>
    <message>
        <source>As {name}</source>
        <translation>作为{name}查看</translation>
    </message>
    <message>
        <source>As of an earlier floor</source>
        <translation>回看较早的楼层</translation>
    </message>
    <message>
        <source>Secrets…</source>
        <translation>秘密…</translation>
    </message>
    <message>
        <source>See the library as somebody of the story knows it</source>
        <translation>以故事中某人的视角查看资料库</translation>
    </message>
    <message>
        <source>Seen as {name}</source>
        <translation>以{name}的视角查看</translation>
    </message>
</context>
<context>
    <name>ViewpointStrip</name>
    <message>
        <source>As of floor</source>
        <translation>截至楼层</translation>
    </message>
    <message>
        <source>Back to everything</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Seen as {name}: only what {name} knows</source>
        <translation>以{name}的视角查看：只有{name}知道的事</translation>
    </message>
    <message>
        <source>This page shows now</source>
        <translation>本页仍是现状</translation>
    </message>
    <message>
        <source>{floor} of {last}</source>
        <translation>{floor} / {last} 楼</translation>
    </message>
</context>
<context>
    <name>VolumeKinds</name>
    <message>
        <source>Story so far (outlines)</source>
        <translation>前情提要（大纲）</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>People, places and things</source>
        <translation>人物、地点和物品</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>Open promises</source>
        <translation>未了的承诺</translation>
    </message>
    <message>
        <source>State at the end</source>
        <translation>结束时的状态</translation>
    </message>
</context>
<context>
    <name>VolumeOpening</name>
    <message>
        <source>“{name}” is a volume: what a chat remembers.</source>
        <translation>“{name}”是一本记忆册：某个聊天所记得的内容。</translation>
    </message>
    <message>
        <source>Take it in</source>
        <translation>收入</translation>
    </message>
</context>
<context>
    <name>Volumes</name>
    <message>
        <source>Making a volume</source>
        <translation>正在制作记忆册</translation>
    </message>
    <message>
        <source>The volume “{title}” was made</source>
        <translation>记忆册“{title}”已做好</translation>
    </message>
    <message>
        <source>“{chat}” reads the volume “{title}” now</source>
        <translation>“{chat}”开始读取记忆册“{title}”</translation>
    </message>
    <message>
        <source>Attaching a volume</source>
        <translation>正在启用记忆册</translation>
    </message>
    <message>
        <source>“{chat}” no longer reads the volume “{title}”</source>
        <translation>“{chat}”不再读取记忆册“{title}”</translation>
    </message>
    <message>
        <source>Detaching a volume</source>
        <translation>正在停用记忆册</translation>
    </message>
    <message>
        <source>Updating a volume</source>
        <translation>正在更新记忆册</translation>
    </message>
    <message>
        <source>The volume “{title}” was updated</source>
        <translation>记忆册“{title}”已更新</translation>
    </message>
    <message>
        <source>Deleting a volume</source>
        <translation>正在删除记忆册</translation>
    </message>
    <message>
        <source>The volume “{title}” was deleted</source>
        <translation>记忆册“{title}”已删除</translation>
    </message>
    <message>
        <source>Importing a volume</source>
        <translation>正在导入记忆册</translation>
    </message>
    <message>
        <source>The volume was imported</source>
        <translation>记忆册已导入</translation>
    </message>
    <message>
        <source>This volume is in the library already</source>
        <translation>这本记忆册已在资料库里</translation>
    </message>
    <message>
        <source>Exporting a volume</source>
        <translation>正在导出记忆册</translation>
    </message>
    <message>
        <source>The volume “{title}” was written to a file</source>
        <translation>记忆册“{title}”已写入文件</translation>
    </message>
</context>
<context>
    <name>VolumesDialog</name>
    <message>
        <source>Volumes</source>
        <translation>记忆册</translation>
    </message>
    <message>
        <source>A chat that reads a volume gets it as the earlier story, before its own and within the same budget. A character gets only what it knows. Nothing is copied or changed.</source>
        <translation>启用记忆册的聊天会把它当作前情，放在自己的故事之前，共用同一份预算。角色只得到他所知道的。什么都不会被复制或改动。</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>……另有 {count} 条</translation>
    </message>
    <message>
        <source>(nobody knows all of it)</source>
        <translation>（没有人知道全部）</translation>
    </message>
    <message>
        <source>(known to {names})</source>
        <translation>（{names}知道）</translation>
    </message>
    <message>
        <source>There is no volume yet. Make one of the chat below, or import a file.</source>
        <translation>还没有记忆册。用下面选中的聊天制作一本，或导入文件。</translation>
    </message>
    <message>
        <source>What the volume says</source>
        <translation>记忆册的内容</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Made of</source>
        <translation>取自</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>由谁读取</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Chat that reads the volume</source>
        <translation>读取记忆册的聊天</translation>
    </message>
    <message>
        <source>Attach</source>
        <translation>启用</translation>
    </message>
    <message>
        <source>Detach</source>
        <translation>停用</translation>
    </message>
    <message>
        <source>Make one…</source>
        <translation>制作…</translation>
    </message>
    <message>
        <source>Update from its chat</source>
        <translation>从原聊天更新</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>It was made of this chat: choose another one to read it.</source>
        <translation>它就是用这个聊天做的：请选另一个聊天来读。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Undo brings it back.</source>
        <translation>可以撤销。</translation>
    </message>
    <message>
        <source>These chats read it and go on without it: {chats}.</source>
        <translation>这些聊天正在读取它，之后将没有它：{chats}。</translation>
    </message>
    <message>
        <source>Delete the volume</source>
        <translation>删除记忆册</translation>
    </message>
    <message>
        <source>Delete the volume “{title}”?</source>
        <translation>删除记忆册“{title}”吗？</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>WaitingCard</name>
    <message>
        <source>Findings</source>
        <translation>真伪</translation>
    </message>
    <message numerus="yes">
        <source>%n contradiction(s) without an answer</source>
        <translation>
            <numerusform>%n 处矛盾尚未答复</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n promise(s) open</source>
        <translation>
            <numerusform>%n 个承诺未了结</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them due</source>
        <translation>
            <numerusform>其中 %n 个到期</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Memory for long stories</source>
        <translation>为长故事准备的记忆</translation>
    </message>
    <message>
        <source>Engram reads a chat once, turns it into events you can read and correct, and recalls them when the story needs them.</source>
        <translation>Engram 把聊天读一遍，变成可以阅读和修改的事件，并在故事需要时召回它们。</translation>
    </message>
    <message>
        <source>Try the demo story</source>
        <translation>试试示例故事</translation>
    </message>
    <message>
        <source>A short story in a tavern. Nothing to set up, nothing is sent anywhere.</source>
        <translation>发生在酒馆里的小故事。无需配置，也不会发送任何内容。</translation>
    </message>
    <message>
        <source>Open the demo</source>
        <translation>打开示例</translation>
    </message>
    <message>
        <source>Play with a character…</source>
        <translation>与角色对话…</translation>
    </message>
    <message>
        <source>Import a chat</source>
        <translation>导入聊天</translation>
    </message>
    <message>
        <source>Drop a .jsonl file on this window, or follow the chats of your SillyTavern folder. The files stay as they are.</source>
        <translation>把 .jsonl 文件拖到窗口上，或跟随 SillyTavern 文件夹里的聊天。文件本身不会改动。</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>SillyTavern folder…</source>
        <translation>SillyTavern 文件夹…</translation>
    </message>
    <message>
        <source>Set up a model</source>
        <translation>配置模型</translation>
    </message>
    <message>
        <source>Optional: with an OpenAI-compatible endpoint, summaries are much better.</source>
        <translation>可选：接入兼容 OpenAI 的接口后，摘要质量会好得多。</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>配置…</translation>
    </message>
</context>
<context>
    <name>WhoDialog</name>
    <message>
        <source>Who knows this</source>
        <translation>谁知道这件事</translation>
    </message>
    <message>
        <source>What is said here counts for recall at once, and can be undone.</source>
        <translation>在这里说的对召回立即生效，可以撤销。</translation>
    </message>
    <message>
        <source>Groups…</source>
        <translation>群体…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>谁</translation>
    </message>
    <message>
        <source>from floor</source>
        <translation>从楼层</translation>
    </message>
    <message>
        <source>Knows it</source>
        <translation>知道</translation>
    </message>
    <message>
        <source>Does not know it</source>
        <translation>不知道</translation>
    </message>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>knows {count} of {all}</source>
        <translation>知道其中 {count}/{all} 条</translation>
    </message>
    <message>
        <source>Nobody in the story knows it.</source>
        <translation>故事里没有人知道。</translation>
    </message>
    <message>
        <source>since floor {floor}: {how}</source>
        <translation>自第 {floor} 楼起：{how}</translation>
    </message>
    <message>
        <source>Read it</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>收回</translation>
    </message>
    <message>
        <source>Let it be worked out again</source>
        <translation>重新推断</translation>
    </message>
</context>
<context>
    <name>WhoKnows</name>
    <message>
        <source>said it</source>
        <translation>自己说的</translation>
    </message>
    <message>
        <source>was there</source>
        <translation>在场</translation>
    </message>
    <message>
        <source>was spoken to</source>
        <translation>对其说的</translation>
    </message>
    <message>
        <source>was told</source>
        <translation>听人说的</translation>
    </message>
    <message>
        <source>overheard it</source>
        <translation>偷听到</translation>
    </message>
    <message>
        <source>read it</source>
        <translation>读到</translation>
    </message>
    <message>
        <source>thought it</source>
        <translation>自己想的</translation>
    </message>
    <message>
        <source>you say so</source>
        <translation>你说的</translation>
    </message>
    <message>
        <source>it is unknown how</source>
        <translation>不清楚怎么知道的</translation>
    </message>
    <message>
        <source>is of {group}</source>
        <translation>属于{group}</translation>
    </message>
    <message>
        <source>Saying who knows it</source>
        <translation>更正谁知道</translation>
    </message>
</context>
<context>
    <name>WhyEmpty</name>
    <message>
        <source>Every type is switched off</source>
        <translation>所有类型都已关闭</translation>
    </message>
    <message>
        <source>Switch a type on again in the legend above.</source>
        <translation>请在上方图例中重新打开某个类型。</translation>
    </message>
    <message>
        <source>Show all types</source>
        <translation>显示全部类型</translation>
    </message>
    <message>
        <source>Everything is filtered out</source>
        <translation>全部被筛掉了</translation>
    </message>
    <message>
        <source>No entity is what the filters ask for.</source>
        <translation>没有符合筛选条件的实体。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Up to floor {floor} none of them appears in the story.</source>
        <translation>到第 {floor} 楼为止，故事还没有提到他们。</translation>
    </message>
    <message>
        <source>Nobody is known yet</source>
        <translation>这时还没有人登场</translation>
    </message>
    <message>
        <source>Nothing that {name} perceived mentions anybody.</source>
        <translation>{name} 感知到的内容里没有提到任何人。</translation>
    </message>
    <message>
        <source>{name} knows nobody</source>
        <translation>{name} 谁也不认识</translation>
    </message>
    <message>
        <source>Consolidate…</source>
        <translation>整理记忆…</translation>
    </message>
    <message>
        <source>Summarise…</source>
        <translation>生成摘要…</translation>
    </message>
    <message>
        <source>No entities yet</source>
        <translation>还没有实体</translation>
    </message>
    <message>
        <source>People, places and things appear here when the buffer is consolidated.</source>
        <translation>整理记忆之后，人物、地点和物品会出现在这里。</translation>
    </message>
</context>
<context>
    <name>WitnessGrid</name>
    <message>
        <source>Present</source>
        <translation>在场</translation>
    </message>
    <message>
        <source>Knows</source>
        <translation>知情</translation>
    </message>
    <message>
        <source>Must not know</source>
        <translation>不可知</translation>
    </message>
    <message>
        <source>Unaware</source>
        <translation>不知</translation>
    </message>
    <message>
        <source>known only while a condition holds</source>
        <translation>仅在条件成立时知道</translation>
    </message>
    <message>
        <source>you say so</source>
        <translation>由您指定</translation>
    </message>
    <message>
        <source>through a group</source>
        <translation>经由所属组织</translation>
    </message>
    <message>
        <source>it is public</source>
        <translation>众所周知</translation>
    </message>
    <message>
        <source>since floor {floor}</source>
        <translation>自 {floor} 楼起</translation>
    </message>
    <message>
        <source>{count} cells are more than can be changed at once: {most}.</source>
        <translation>{count} 格超过了一次能改的上限：{most} 格。</translation>
    </message>
    <message>
        <source>Saying who was there</source>
        <translation>指定谁在场</translation>
    </message>
</context>
<context>
    <name>WitnessPage</name>
    <message>
        <source>As worked out</source>
        <translation>自动判断</translation>
    </message>
    <message>
        <source>Add a person</source>
        <translation>添加人物</translation>
    </message>
    <message>
        <source>What a click or a drag says: {name} (key {key})</source>
        <translation>点击或拖动所填的内容：{name}（按键 {key}）</translation>
    </message>
    <message>
        <source>Nobody is known yet. Add a person to say who was there.</source>
        <translation>还没有任何人物。添加一位，就能指定谁在场。</translation>
    </message>
</context>
<context>
    <name>WitnessTable</name>
    <message>
        <source>Who was there</source>
        <translation>谁在场</translation>
    </message>
    <message>
        <source>Persons</source>
        <translation>人物</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>As worked out</source>
        <translation>自动判断</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Read its messages</source>
        <translation>阅读其消息</translation>
    </message>
    <message>
        <source>Who knows this…</source>
        <translation>谁知道此事…</translation>
    </message>
</context>
<context>
    <name>WordChip</name>
    <message>
        <source>Remove {word}</source>
        <translation>移除 {word}</translation>
    </message>
    <message>
        <source>Remove this word</source>
        <translation>移除这个词</translation>
    </message>
</context>
<context>
    <name>WordChips</name>
    <message>
        <source>Add a word</source>
        <translation>添加一个词</translation>
    </message>
</context>
<context>
    <name>WordsCard</name>
    <message>
        <source>Read it in the text of the chat</source>
        <translation>在原文中查看</translation>
    </message>
</context>
<context>
    <name>Workspace</name>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Another program deleted the chat that was shown. It lies in the trash.</source>
        <translation>别的程序删除了正在显示的聊天，它在回收站里。</translation>
    </message>
    <message>
        <source>Waiting for {program} to finish writing.</source>
        <translation>正在等 {program} 写完。</translation>
    </message>
</context>
<context>
    <name>WorldbookList</name>
    <message>
        <source>Saving an entry</source>
        <translation>正在保存条目</translation>
    </message>
    <message numerus="yes">
        <source>Changing %n entry(ies)</source>
        <translation>
            <numerusform>正在修改 %n 个条目</numerusform>
        </translation>
    </message>
    <message>
        <source>Entries are moved where they are all listed by order</source>
        <translation>要移动条目，请先按顺序列出全部条目</translation>
    </message>
    <message>
        <source>Sort by order</source>
        <translation>按顺序排列</translation>
    </message>
    <message>
        <source>New entry</source>
        <translation>新条目</translation>
    </message>
    <message>
        <source>Adding an entry</source>
        <translation>正在添加条目</translation>
    </message>
    <message numerus="yes">
        <source>Deleting %n entry(ies)</source>
        <translation>
            <numerusform>正在删除 %n 个条目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) deleted</source>
        <translation>
            <numerusform>已删除 %n 个条目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moving %n entry(ies)</source>
        <translation>
            <numerusform>正在移动 %n 个条目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) moved to “{name}”</source>
        <translation>
            <numerusform>已把 %n 个条目移到“{name}”</numerusform>
        </translation>
    </message>
    <message>
        <source>Binding a world book</source>
        <translation>正在绑定世界书</translation>
    </message>
    <message>
        <source>Renaming a world book</source>
        <translation>重命名世界书</translation>
    </message>
    <message>
        <source>Removing a world book</source>
        <translation>正在移除世界书</translation>
    </message>
    <message>
        <source>The world book “{name}” was deleted</source>
        <translation>已删除世界书“{name}”</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>导出</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) changed</source>
        <translation>
            <numerusform>已修改 %n 个条目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>World book of %n entry(ies) written</source>
        <translation>
            <numerusform>已写出含 %n 个条目的世界书</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WorldbookMerge</name>
    <message>
        <source>Comparing a world book</source>
        <translation>正在比较世界书</translation>
    </message>
    <message>
        <source>Merging a world book</source>
        <translation>正在合并世界书</translation>
    </message>
    <message>
        <source>edited in the file</source>
        <translation>在文件中被修改</translation>
    </message>
    <message>
        <source>added in the file</source>
        <translation>在文件中新增</translation>
    </message>
    <message>
        <source>removed from the file</source>
        <translation>在文件中被删除</translation>
    </message>
    <message>
        <source>, and changed here</source>
        <translation>，这里也改过</translation>
    </message>
    <message>
        <source>the file&apos;s</source>
        <translation>用文件的</translation>
    </message>
    <message>
        <source>the memory&apos;s</source>
        <translation>用记忆的</translation>
    </message>
    <message>
        <source>(not there)</source>
        <translation>（没有）</translation>
    </message>
    <message>
        <source>Keys: {keys}</source>
        <translation>关键词：{keys}</translation>
    </message>
    <message numerus="yes">
        <source>{file} is merged: %n entry(ies) of it added to the memory</source>
        <translation>
            <numerusform>{file} 已合并：%n 个条目收入记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>Reload SillyTavern&apos;s page now: while it is open it has its old copy, and would save that over the file again.</source>
        <translation>现在请刷新 SillyTavern 页面：打开着的页面里还是旧内容，它再保存时会把文件又改回去。</translation>
    </message>
</context>
<context>
    <name>WorldbookPage</name>
    <message>
        <source>No world books yet</source>
        <translation>还没有世界书</translation>
    </message>
    <message>
        <source>Import a world book or a character card. Files are only read: what you change here is written to a new file when you export it.</source>
        <translation>导入世界书或角色卡。原文件只读不改：在这里做的修改，导出时会写入新文件。</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>World books</source>
        <translation>世界书</translation>
    </message>
    <message>
        <source>History…</source>
        <translation>历史记录…</translation>
    </message>
    <message>
        <source>On in every chat</source>
        <translation>在所有聊天中启用</translation>
    </message>
    <message>
        <source>On in this chat</source>
        <translation>在本聊天中启用</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Remove from library</source>
        <translation>从资料库移除</translation>
    </message>
    <message>
        <source>Export as a new book…</source>
        <translation>导出为新世界书…</translation>
    </message>
    <message>
        <source>Keep in sync with a file…</source>
        <translation>与文件保持同步…</translation>
    </message>
    <message>
        <source>Characters…</source>
        <translation>角色…</translation>
    </message>
    <message>
        <source>No entry matches</source>
        <translation>没有匹配的条目</translation>
    </message>
    <message>
        <source>Try fewer words.</source>
        <translation>减少搜索词再试试。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Search entries</source>
        <translation>搜索条目</translation>
    </message>
    <message>
        <source>Give the selected entries this mode</source>
        <translation>把选中的条目改为此模式</translation>
    </message>
    <message>
        <source>Add an entry</source>
        <translation>添加条目</translation>
    </message>
    <message>
        <source>Delete selected entries</source>
        <translation>删除选中的条目</translation>
    </message>
    <message>
        <source>Entries of the world book</source>
        <translation>世界书条目</translation>
    </message>
    <message>
        <source>made from this chat&apos;s memory</source>
        <translation>由本聊天的记忆生成</translation>
    </message>
    <message>
        <source>This chat wants a world book that is not in the library: {names}. Import it.</source>
        <translation>本聊天绑定了资料库里没有的世界书：{names}。请导入它。</translation>
    </message>
    <message>
        <source>Double-click, or F2, to rename it</source>
        <translation>双击或按 F2 可重命名</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies)</source>
        <translation>
            <numerusform>%n 个条目</numerusform>
        </translation>
    </message>
    <message>
        <source>of {name}</source>
        <translation>属于 {name}</translation>
    </message>
    <message>
        <source>on in this chat</source>
        <translation>在本聊天中启用</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>读取中…</translation>
    </message>
    <message>
        <source>{tokens} tokens in all entries that are not disabled</source>
        <translation>未停用的条目共 {tokens} 个 token</translation>
    </message>
    <message>
        <source>{shown} of {count} entries</source>
        <translation>显示 {shown} / {count} 个条目</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>World book for SillyTavern (*.json)</source>
        <translation>酒馆世界书 (*.json)</translation>
    </message>
</context>
<context>
    <name>WorldbookPanel</name>
    <message>
        <source>No entry selected</source>
        <translation>未选择条目</translation>
    </message>
    <message>
        <source>Select an entry to read and change it, and to see why it fires or not.</source>
        <translation>选择一个条目来阅读和修改，并查看它为什么触发或没触发。</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>关键词</translation>
    </message>
    <message>
        <source>Secondary keywords</source>
        <translation>次要关键词</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Large editor…</source>
        <translation>大编辑器…</translation>
    </message>
    <message>
        <source>{share} % of the budget</source>
        <translation>占预算的 {share} %</translation>
    </message>
    <message>
        <source>Nothing is known of {names}: it is sent as it stands.</source>
        <translation>不认识 {names}：会原样发送。</translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) selected. What you change here changes in all of them; a blank field means that they differ.</source>
        <translation>
            <numerusform>已选中 %n 个条目。在这里修改会同时改变它们；空白字段表示各不相同。</numerusform>
        </translation>
    </message>
    <message>
        <source>about {count} tokens</source>
        <translation>约 {count} 个 token</translation>
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
        <translation>没有这个{kind}：“{name}”。</translation>
    </message>
    <message>
        <source>The profile cannot be read: {detail}.</source>
        <translation>档案无法读取：{detail}。</translation>
    </message>
    <message>
        <source>The setting {key} cannot be “{value}”: {detail}.</source>
        <translation>设置 {key} 不能是“{value}”：{detail}。</translation>
    </message>
    <message>
        <source>The script cannot be run: {detail}.</source>
        <translation>脚本无法运行：{detail}。</translation>
    </message>
    <message>
        <source>The text was left as it was.</source>
        <translation>文本保持原样。</translation>
    </message>
    <message>
        <source>The script was stopped: it took longer than {seconds} s, or too much memory.</source>
        <translation>脚本已停止：运行超过 {seconds} 秒，或占用内存过多。</translation>
    </message>
    <message>
        <source>The prompt “{task}” cannot be made: {part}, line {line}: {detail}.</source>
        <translation>提示词“{task}”无法生成：{part}第 {line} 行：{detail}。</translation>
    </message>
    <message>
        <source>Nothing was sent. Mend the prompt, or reset it.</source>
        <translation>什么都没有发送。请修改提示词，或恢复内置。</translation>
    </message>
    <message>
        <source>The prompt “{task}” cannot be made: the program in its {part} takes too long, or too much memory.</source>
        <translation>提示词“{task}”无法生成：{part}里的程序运行太久，或占用内存太多。</translation>
    </message>
    <message>
        <source>The library {path} is in use by {holder}.</source>
        <translation>资料库 {path} 正被 {holder} 使用。</translation>
    </message>
    <message>
        <source>Close that window or wait for that command, then try again.</source>
        <translation>请关闭那个窗口，或等那条命令结束，再试一次。</translation>
    </message>
    <message>
        <source>{path} was written by a newer Engram (format {found}, this one knows {known}).</source>
        <translation>{path} 由更新版本的 Engram 写入（格式 {found}，本程序支持到 {known}）。</translation>
    </message>
    <message>
        <source>Update Engram. The file was not touched.</source>
        <translation>请升级 Engram。文件未被改动。</translation>
    </message>
    <message>
        <source>{path} cannot be read: {detail}.</source>
        <translation>无法读取 {path}：{detail}。</translation>
    </message>
    <message>
        <source>{count} have the name “{name}”: {ids}.</source>
        <translation>有 {count} 个名为“{name}”：{ids}。</translation>
    </message>
    <message>
        <source>Say which one by its id.</source>
        <translation>请用 id 指明是哪一个。</translation>
    </message>
    <message>
        <source>{path} exists already.</source>
        <translation>{path} 已存在。</translation>
    </message>
    <message>
        <source>Only new files are written, nothing is replaced: choose another name.</source>
        <translation>只会写新文件，不会覆盖：请换一个名字。</translation>
    </message>
    <message>
        <source>The folder {path} is kept in step with another chat or branch.</source>
        <translation>文件夹 {path} 已与另一个聊天或分支保持同步。</translation>
    </message>
    <message>
        <source>Choose another folder, or let that one go first.</source>
        <translation>请另选一个文件夹，或先停止同步它。</translation>
    </message>
    <message>
        <source>The library {path} can only be read.</source>
        <translation>资料库 {path} 只能读取。</translation>
    </message>
    <message>
        <source>Copy it to a place where it can be written.</source>
        <translation>请把它复制到可以写入的地方。</translation>
    </message>
    <message>
        <source>{path} was moved, deleted or replaced while it was open.</source>
        <translation>{path} 在打开期间被移动、删除或替换了。</translation>
    </message>
    <message>
        <source>Nothing more is written. Put it back, then close Engram and open it again.</source>
        <translation>不会再写入任何内容。请把它放回原处，然后关闭 Engram 再重新打开。</translation>
    </message>
    <message>
        <source>It was left as it is. Library health mends what it can, and restores a backup.</source>
        <translation>文件保持原样。“资料库健康”会修好能修的，也可以恢复备份。</translation>
    </message>
    <message>
        <source>The backup holds everything but {names}: {detail}.</source>
        <translation>备份里有全部内容，只缺 {names}：{detail}。</translation>
    </message>
    <message>
        <source>What is damaged was left as it is. Older backups have it as it was then.</source>
        <translation>损坏的部分保持原样。较早的备份里有它当时的样子。</translation>
    </message>
    <message>
        <source>There is no space left to write {path}.</source>
        <translation>磁盘已满，无法写入 {path}。</translation>
    </message>
    <message>
        <source>Free some space; nothing that was finished is lost.</source>
        <translation>请腾出一些空间；已完成的内容没有丢失。</translation>
    </message>
    <message>
        <source>It was changed meanwhile: {detail}.</source>
        <translation>内容在此期间已被改动：{detail}。</translation>
    </message>
    <message>
        <source>Nothing was overwritten. Try again.</source>
        <translation>没有覆盖任何内容，请重试。</translation>
    </message>
    <message>
        <source>There is nothing to undo or redo here.</source>
        <translation>没有可以撤销或重做的操作。</translation>
    </message>
    <message>
        <source>Memory is off for this chat.</source>
        <translation>这个聊天的记忆已关闭。</translation>
    </message>
    <message>
        <source>Set its memory mode to vectors or graph to go on.</source>
        <translation>把记忆模式设为“仅向量”或“向量与图谱”后再继续。</translation>
    </message>
    <message>
        <source>No {task} endpoint is set up.</source>
        <translation>尚未配置 {task} 接口。</translation>
    </message>
    <message>
        <source>Set one up in the settings, or go on without a model.</source>
        <translation>请在设置中配置，或继续不用模型。</translation>
    </message>
    <message>
        <source>This copy knows no address to ask for newer versions.</source>
        <translation>此程序不知道该向哪个地址询问新版本。</translation>
    </message>
    <message>
        <source>Enter one in the settings, under “Newer versions”.</source>
        <translation>请在设置的“新版本”中填写地址。</translation>
    </message>
    <message>
        <source>The address “{url}” cannot be used: {detail}.</source>
        <translation>地址“{url}”不可用：{detail}。</translation>
    </message>
    <message>
        <source>Enter the base URL, usually ending in /v1.</source>
        <translation>请填写接口地址，通常以 /v1 结尾。</translation>
    </message>
    <message>
        <source>{url} did not answer: {detail}.</source>
        <translation>{url} 没有响应：{detail}。</translation>
    </message>
    <message>
        <source>Check the address, the server and the network.</source>
        <translation>请检查地址、服务器和网络。</translation>
    </message>
    <message>
        <source>{url} refused the key ({status}): {detail}</source>
        <translation>{url} 拒绝了密钥 ({status})：{detail}</translation>
    </message>
    <message>
        <source>Check the API key and what it may use.</source>
        <translation>请检查 API 密钥及其权限。</translation>
    </message>
    <message>
        <source>{url} asks to wait ({status}): {detail}</source>
        <translation>{url} 要求稍后再试 ({status})：{detail}</translation>
    </message>
    <message>
        <source>What was finished is kept. Go on later.</source>
        <translation>已完成的都已保留，稍后可继续。</translation>
    </message>
    <message>
        <source>{url} answered with an error ({status}): {detail}</source>
        <translation>{url} 返回错误 ({status})：{detail}</translation>
    </message>
    <message>
        <source>If the server itself is right, try the base URL {better}.</source>
        <translation>如果服务器本身没错，请试试接口地址 {better}。</translation>
    </message>
    <message>
        <source>The request is longer than the model at {url} reads ({status}): {detail}</source>
        <translation>请求超出了 {url} 的模型能读的长度（{status}）：{detail}</translation>
    </message>
    <message>
        <source>Load the model with a larger context, or let prompts and summaries take less: floors per summary, history and budget are in the settings.</source>
        <translation>请用更大的上下文加载模型，或者让提示词和摘要少用一些：每次摘要的楼数、历史和预算都在设置里。</translation>
    </message>
    <message>
        <source>Today&apos;s limit of {cap} tokens would be passed: {used} are spent, the next request needs about {wanted}.</source>
        <translation>将超过今日上限 {cap} token：已用 {used}，下一次请求约需 {wanted}。</translation>
    </message>
    <message>
        <source>What was finished is kept. Go on tomorrow, or raise the limit in the settings.</source>
        <translation>已完成的都已保留。明天会继续，或调高“每日 token 上限”。</translation>
    </message>
    <message>
        <source>The model&apos;s answer cannot be used: {detail}.</source>
        <translation>模型的回答无法使用：{detail}。</translation>
    </message>
    <message>
        <source>The answer was kept. Try again, or try another model.</source>
        <translation>回答已保留。请重试，或换一个模型。</translation>
    </message>
    <message>
        <source>The answer is longer than {limit} and was not read on.</source>
        <translation>回答超过 {limit}，没有继续读下去。</translation>
    </message>
    <message>
        <source>Try again, or try another model or server.</source>
        <translation>请重试，或换一个模型或服务器。</translation>
    </message>
    <message>
        <source>The model repeats {detail} without end and was stopped.</source>
        <translation>模型不停地重复 {detail}，已被停下。</translation>
    </message>
    <message>
        <source>Try again, or try another model. A higher temperature may help as well.</source>
        <translation>请重试，或换一个模型；调高温度也可能有用。</translation>
    </message>
    <message>
        <source>{file} was changed while it was being read.</source>
        <translation>{file} 在读取时被改动了。</translation>
    </message>
    <message>
        <source>Import it again.</source>
        <translation>请重新导入。</translation>
    </message>
    <message>
        <source>{file} is {kind}, not a chat.</source>
        <translation>{file} 是{kind}，不是聊天。</translation>
    </message>
    <message>
        <source>Choose a .jsonl file from SillyTavern&apos;s chats folder.</source>
        <translation>请从 SillyTavern 的 chats 文件夹选择 .jsonl 文件。</translation>
    </message>
    <message>
        <source>Take it in under Volumes, in a chat&apos;s menu.</source>
        <translation>请从聊天的右键菜单打开“记忆册…”导入。</translation>
    </message>
    <message>
        <source>The API key holds a {char} at position {position}.</source>
        <translation>API 密钥第 {position} 位含有不允许的字符：{char}。</translation>
    </message>
    <message>
        <source>Copy the key again, without blanks or other text.</source>
        <translation>请重新复制密钥，不要带空格或其他文字。</translation>
    </message>
    <message>
        <source>The keyring of this computer cannot be used: {detail}.</source>
        <translation>本机的密钥环无法使用：{detail}。</translation>
    </message>
    <message>
        <source>In the settings choose to keep keys for this session only, or in an unencrypted file.</source>
        <translation>请在设置中选择仅本次会话保存密钥，或保存在未加密的文件中。</translation>
    </message>
    <message>
        <source>The key file {path} cannot be used: {detail}.</source>
        <translation>密钥文件 {path} 无法使用：{detail}。</translation>
    </message>
    <message>
        <source>Delete it and enter the keys again.</source>
        <translation>请删除它并重新输入密钥。</translation>
    </message>
    <message>
        <source>{file} is no valid JSON: line {line}, {detail}.</source>
        <translation>{file} 不是有效的 JSON：第 {line} 行，{detail}。</translation>
    </message>
    <message>
        <source>{file} nests values too deeply to be read.</source>
        <translation>{file} 嵌套过深，无法读取。</translation>
    </message>
    <message>
        <source>{file} is no world book: it holds no list of entries.</source>
        <translation>{file} 不是世界书：其中没有条目列表。</translation>
    </message>
    <message>
        <source>{file} has {size} MB; files of this kind are read up to {limit}.</source>
        <translation>{file} 有 {size} MB；这类文件最多读取 {limit} MB。</translation>
    </message>
    <message>
        <source>{file} is no text in UTF-8, UTF-16 or GB18030.</source>
        <translation>{file} 不是 UTF-8、UTF-16 或 GB18030 编码的文本。</translation>
    </message>
    <message>
        <source>It may be damaged. Save it again as UTF-8.</source>
        <translation>文件可能已损坏。请另存为 UTF-8 编码。</translation>
    </message>
    <message>
        <source>{file} holds no character card.</source>
        <translation>{file} 中没有角色卡。</translation>
    </message>
    <message>
        <source>A picture that was converted or sent by a messenger loses its card.</source>
        <translation>图片经转换或聊天软件发送后，其中的角色卡会丢失。</translation>
    </message>
    <message>
        <source>{file} is not opened: {detail}.</source>
        <translation>未打开 {file}：{detail}。</translation>
    </message>
    <message>
        <source>{file} came without a picture to put the card into.</source>
        <translation>{file} 没有可以写入角色卡的图片。</translation>
    </message>
    <message>
        <source>Write it as JSON: give the file a name that ends in .json.</source>
        <translation>请写为 JSON：文件名以 .json 结尾。</translation>
    </message>
    <message>
        <source>{file} is a damaged PNG: {detail}.</source>
        <translation>{file} 是损坏的 PNG：{detail}。</translation>
    </message>
    <message>
        <source>Get the card again; nothing was imported.</source>
        <translation>请重新获取该角色卡；没有导入任何内容。</translation>
    </message>
    <message>
        <source>A text in {file} unpacks to more than {limit} MB: it is not read.</source>
        <translation>{file} 中有一段文本解压后超过 {limit} MB：不予读取。</translation>
    </message>
    <message>
        <source>{file} holds no regex script: {detail}.</source>
        <translation>{file} 里没有正则脚本：{detail}。</translation>
    </message>
    <message>
        <source>Choose a file exported from SillyTavern&apos;s Regex extension.</source>
        <translation>请选择从 SillyTavern 正则扩展导出的文件。</translation>
    </message>
    <message>
        <source>{file} is too large to be followed.</source>
        <translation>{file} 太大，无法跟随。</translation>
    </message>
    <message>
        <source>{path} is not a SillyTavern folder.</source>
        <translation>{path} 不是 SillyTavern 文件夹。</translation>
    </message>
    <message>
        <source>Choose the folder SillyTavern is installed in, or “data” inside of it.</source>
        <translation>请选择 SillyTavern 的安装文件夹，或其中的“data”文件夹。</translation>
    </message>
    <message>
        <source>{file} holds no memories of a known tool.</source>
        <translation>{file} 中没有已知工具留下的记忆。</translation>
    </message>
    <message>
        <source>Engram sync files, chats exported from Risu and world books of MemoryBooks can be taken over.</source>
        <translation>可以接收 Engram 同步文件、Risu 导出的聊天和 MemoryBooks 的世界书。</translation>
    </message>
    <message>
        <source>There is no message in {file}.</source>
        <translation>{file} 中没有消息。</translation>
    </message>
    <message>
        <source>It may be empty, or of a program that is not known here.</source>
        <translation>它可能是空的，或来自尚不认识的程序。</translation>
    </message>
    <message>
        <source>{file} holds {count} chats; they cannot go into one.</source>
        <translation>{file} 里有 {count} 个聊天，不能并入同一个聊天。</translation>
    </message>
    <message>
        <source>Import it without choosing a chat: each gets its own.</source>
        <translation>导入时不要指定聊天：每个都会成为单独的聊天。</translation>
    </message>
    <message>
        <source>An entry has no field “{name}”; there are: {names}.</source>
        <translation>条目没有字段“{name}”；可用的有：{names}。</translation>
    </message>
    <message>
        <source>“{value}” is no value for the field {name}.</source>
        <translation>“{value}”不能用作字段 {name} 的值。</translation>
    </message>
    <message>
        <source>{file} holds memories of a chat, and no chat.</source>
        <translation>{file} 里是某个聊天的记忆，而不是聊天。</translation>
    </message>
    <message>
        <source>Open the chat they are of, then choose “Take over memories…” there.</source>
        <translation>请打开它们所属的聊天，再在那里选择“接收记忆…”。</translation>
    </message>
    <message>
        <source>{file} holds API keys. It is not opened.</source>
        <translation>{file} 里存放着 API 密钥，不会打开它。</translation>
    </message>
    <message>
        <source>Chats, cards and world books lie in folders beside it.</source>
        <translation>聊天、角色卡和世界书在它旁边的文件夹里。</translation>
    </message>
    <message>
        <source>{file} is no preset: it is not readable as JSON.</source>
        <translation>{file} 不是预设：无法按 JSON 读取。</translation>
    </message>
    <message>
        <source>The companion&apos;s request lacks “{name}”.</source>
        <translation>配套扩展的请求缺少“{name}”。</translation>
    </message>
    <message>
        <source>Install the companion of this version of Engram again.</source>
        <translation>请重新安装与此版 Engram 对应的配套扩展。</translation>
    </message>
    <message>
        <source>The memory server cannot listen on port {port}: {detail}.</source>
        <translation>记忆服务器无法使用端口 {port}：{detail}。</translation>
    </message>
    <message>
        <source>Choose another port in the settings, or 0 for a free one.</source>
        <translation>在设置里换一个端口，或填 0 自动取空闲端口。</translation>
    </message>
    <message>
        <source>The memory server did not start.</source>
        <translation>记忆服务器没有启动。</translation>
    </message>
    <message>
        <source>Try again; the log says what happened.</source>
        <translation>请重试；日志里写着原因。</translation>
    </message>
    <message>
        <source>{path} is there already, and is no companion of Engram&apos;s.</source>
        <translation>{path} 已经存在，而且不是 Engram 的配套扩展。</translation>
    </message>
    <message>
        <source>Move it away or choose another folder. It was left alone.</source>
        <translation>请把它移走，或另选一个文件夹。它没有被改动。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {detail}.</source>
        <translation>无法写入 {path}：{detail}。</translation>
    </message>
    <message>
        <source>Save the companion as a folder, and copy that to SillyTavern&apos;s extensions.</source>
        <translation>请把配套扩展另存为文件夹，再复制到 SillyTavern 的扩展目录。</translation>
    </message>
    <message>
        <source>“{name}” cannot be the name of a chat file.</source>
        <translation>“{name}”不能作为聊天文件的名字。</translation>
    </message>
    <message>
        <source>Rename the chat in SillyTavern.</source>
        <translation>请在 SillyTavern 里给这个聊天改名。</translation>
    </message>
    <message>
        <source>A message of this chat cannot be kept: it is not one line.</source>
        <translation>这个聊天有一条消息无法保存：它不是一行。</translation>
    </message>
    <message>
        <source>The chat is too large to be followed.</source>
        <translation>这个聊天太大，无法跟随。</translation>
    </message>
    <message>
        <source>The proxy cannot be used: {detail}.</source>
        <translation>代理无法使用：{detail}。</translation>
    </message>
    <message>
        <source>Check the proxy in the settings; “as the system” reads HTTPS_PROXY and ALL_PROXY.</source>
        <translation>请检查设置里的代理；“跟随系统”读取 HTTPS_PROXY 和 ALL_PROXY。</translation>
    </message>
    <message>
        <source>{path} lies in the library itself.</source>
        <translation>{path} 就在资料库里面。</translation>
    </message>
    <message>
        <source>Choose a folder outside of it.</source>
        <translation>请选择它外面的文件夹。</translation>
    </message>
    <message>
        <source>A request of {count} messages is more than memory reads.</source>
        <translation>一次请求里有 {count} 条消息，超出了记忆能读的数量。</translation>
    </message>
    <message>
        <source>It went on without memory, and nothing of it was kept.</source>
        <translation>这次请求没有带记忆就转发了，其中的内容也没有保存。</translation>
    </message>
    <message>
        <source>The endpoint {url} is this memory server itself.</source>
        <translation>接口 {url} 就是这个记忆服务器自己。</translation>
    </message>
    <message>
        <source>Enter the address of the model&apos;s server there, and give this one to the chat.</source>
        <translation>那里请填模型服务器的地址；这个地址是给聊天程序用的。</translation>
    </message>
    <message>
        <source>“{answer}” is no answer to a finding of the kind “{kind}”.</source>
        <translation>“{answer}”不能用来答复“{kind}”类的发现。</translation>
    </message>
    <message>
        <source>Answer one of: {choices}.</source>
        <translation>请用其中之一答复：{choices}。</translation>
    </message>
    <message>
        <source>This finding was answered “{other}” meanwhile; “{answer}” was not saved.</source>
        <translation>这条发现刚刚已被答复为“{other}”；“{answer}”没有保存。</translation>
    </message>
    <message>
        <source>Look at it again, and answer again if you still mean it.</source>
        <translation>请再看一遍；若仍要改，请重新答复。</translation>
    </message>
    <message>
        <source>It failed again: {reason}</source>
        <translation>再次失败：{reason}</translation>
    </message>
    <message>
        <source>Open it to see the answer, and to mend it by hand.</source>
        <translation>打开它可以看到回答，并手动修好。</translation>
    </message>
    <message>
        <source>{path} is no volume that can be read: {where}.</source>
        <translation>{path} 不是可以读取的记忆册：{where}。</translation>
    </message>
    <message>
        <source>Export the volume once more.</source>
        <translation>请重新导出这本记忆册。</translation>
    </message>
    <message>
        <source>{path} is a volume of version {version}; the newest known here is {known}.</source>
        <translation>{path} 是第 {version} 版的记忆册；这里最新只认得第 {known} 版。</translation>
    </message>
    <message>
        <source>Update the program, or export the volume with an older one.</source>
        <translation>请更新程序，或用旧版程序导出这本记忆册。</translation>
    </message>
    <message>
        <source>“{chat}” remembers nothing that could go into a volume.</source>
        <translation>“{chat}”里没有可以收进记忆册的记忆。</translation>
    </message>
    <message>
        <source>Summarise it first, or choose more kinds of memories.</source>
        <translation>请先生成摘要，或多选几类记忆。</translation>
    </message>
    <message>
        <source>The chat that the volume “{title}” was made of is not in this library.</source>
        <translation>制作记忆册“{title}”的聊天不在这个资料库里。</translation>
    </message>
    <message>
        <source>Update it where that chat is, and import it again.</source>
        <translation>请在有那个聊天的资料库里更新，再导入一次。</translation>
    </message>
    <message>
        <source>“{title}” was made of “{chat}”, which remembers all of it itself.</source>
        <translation>“{title}”就是用“{chat}”做的，它自己都记得。</translation>
    </message>
    <message>
        <source>Choose another chat.</source>
        <translation>请选择另一个聊天。</translation>
    </message>
    <message>
        <source>A title of 1 to {most} characters is expected.</source>
        <translation>标题需要 1 到 {most} 个字。</translation>
    </message>
    <message>
        <source>Not taken: {detail}.</source>
        <translation>未采用：{detail}。</translation>
    </message>
</context>
<context>
    <name>prompts</name>
    <message>
        <source>The messages to summarise</source>
        <translation>要总结的聊天记录</translation>
    </message>
    <message>
        <source>What world books say now</source>
        <translation>世界书此刻激活的内容</translation>
    </message>
    <message>
        <source>What the player said last</source>
        <translation>玩家最近说的话</translation>
    </message>
    <message>
        <source>What is always remembered</source>
        <translation>常驻的记忆</translation>
    </message>
    <message>
        <source>The character&apos;s name</source>
        <translation>角色的名字</translation>
    </message>
    <message>
        <source>The player&apos;s name</source>
        <translation>玩家的名字</translation>
    </message>
    <message>
        <source>Who the player is, as the settings say</source>
        <translation>玩家人设，在设置里填写</translation>
    </message>
    <message>
        <source>Everybody who speaks beside the player</source>
        <translation>除玩家外所有说话的人</translation>
    </message>
    <message>
        <source>The same</source>
        <translation>同上</translation>
    </message>
    <message>
        <source>Everybody but the character, the player too</source>
        <translation>除该角色外的所有人，包括玩家</translation>
    </message>
    <message>
        <source>The card&apos;s description</source>
        <translation>角色卡：描述</translation>
    </message>
    <message>
        <source>The card&apos;s personality</source>
        <translation>角色卡：性格</translation>
    </message>
    <message>
        <source>The card&apos;s scenario</source>
        <translation>角色卡：情景</translation>
    </message>
    <message>
        <source>The card&apos;s system prompt</source>
        <translation>角色卡：系统提示词</translation>
    </message>
    <message>
        <source>The card&apos;s instruction after the history</source>
        <translation>角色卡：历史之后的指示</translation>
    </message>
    <message>
        <source>The card&apos;s note at a depth</source>
        <translation>角色卡：深度提示</translation>
    </message>
    <message>
        <source>What the card&apos;s maker notes</source>
        <translation>角色卡：作者注释</translation>
    </message>
    <message>
        <source>The card&apos;s greeting</source>
        <translation>角色卡：开场白</translation>
    </message>
    <message>
        <source>The card&apos;s version</source>
        <translation>角色卡：版本</translation>
    </message>
    <message>
        <source>The card&apos;s examples, each with its heading</source>
        <translation>角色卡：对话示例，每段带标题</translation>
    </message>
    <message>
        <source>The card&apos;s examples as they stand</source>
        <translation>角色卡：对话示例原文</translation>
    </message>
    <message>
        <source>The last message</source>
        <translation>最后一条消息</translation>
    </message>
    <message>
        <source>The last message of the player</source>
        <translation>玩家的最后一条消息</translation>
    </message>
    <message>
        <source>The last message of a character</source>
        <translation>角色的最后一条消息</translation>
    </message>
    <message>
        <source>Floor of the last message</source>
        <translation>最后一条消息的楼层</translation>
    </message>
    <message>
        <source>First floor a model still reads</source>
        <translation>模型还能读到的最早楼层</translation>
    </message>
    <message>
        <source>How many swipes the last message has</source>
        <translation>最后一条消息有几个备选回复</translation>
    </message>
    <message>
        <source>Which of them is chosen</source>
        <translation>选中的是第几个</translation>
    </message>
    <message>
        <source>First and last floor of the chat</source>
        <translation>聊天的首末楼层</translation>
    </message>
    <message>
        <source>How long ago the player last wrote</source>
        <translation>玩家上次发言距今多久</translation>
    </message>
    <message>
        <source>The author&apos;s note of the chat</source>
        <translation>聊天的作者注</translation>
    </message>
    <message>
        <source>The author&apos;s note of the card</source>
        <translation>角色卡的作者注</translation>
    </message>
    <message>
        <source>Name of the model that is asked</source>
        <translation>所用模型的名字</translation>
    </message>
    <message>
        <source>One text or another</source>
        <translation>二选一的文本</translation>
    </message>
    <message>
        <source>A variable of the chat</source>
        <translation>聊天的变量</translation>
    </message>
    <message>
        <source>Set a variable, for this request only</source>
        <translation>设置变量，只对这次请求有效</translation>
    </message>
    <message>
        <source>The same by a sign, with an operator</source>
        <translation>同上，用符号和运算符书写</translation>
    </message>
    <message>
        <source>A variable of all chats, as SillyTavern has it</source>
        <translation>全局变量，取自 SillyTavern</translation>
    </message>
    <message>
        <source>Set one of those, for this request only</source>
        <translation>设置全局变量，只在这次请求中有效</translation>
    </message>
    <message>
        <source>One of those by a sign</source>
        <translation>其中之一，用符号书写</translation>
    </message>
    <message>
        <source>One of several</source>
        <translation>随机取一个</translation>
    </message>
    <message>
        <source>One of several, always the same here</source>
        <translation>随机取一个，同一处总是相同</translation>
    </message>
    <message>
        <source>Roll dice</source>
        <translation>掷骰子</translation>
    </message>
    <message>
        <source>Today&apos;s date</source>
        <translation>今天的日期</translation>
    </message>
    <message>
        <source>The time of day</source>
        <translation>现在的时刻</translation>
    </message>
    <message>
        <source>A text backwards</source>
        <translation>倒过来的文本</translation>
    </message>
    <message>
        <source>A new line</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>Take away the empty lines around it</source>
        <translation>去掉前后的空行</translation>
    </message>
    <message>
        <source>A note that is not sent</source>
        <translation>不会发送的注释</translation>
    </message>
    <message>
        <source>Names known so far</source>
        <translation>已知的名字</translation>
    </message>
    <message>
        <source>What happened before</source>
        <translation>此前的剧情摘要</translation>
    </message>
    <message>
        <source>What world books say of them</source>
        <translation>世界书中与之相关的内容</translation>
    </message>
    <message>
        <source>The last of the messages</source>
        <translation>其中最后一条消息</translation>
    </message>
    <message>
        <source>First floor</source>
        <translation>起始楼层</translation>
    </message>
    <message>
        <source>Summaries</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Outlines (trim)</source>
        <translation>大纲（精简）</translation>
    </message>
    <message>
        <source>Profiles of entities</source>
        <translation>实体档案</translation>
    </message>
    <message>
        <source>Rewording of questions</source>
        <translation>改写检索问题</translation>
    </message>
    <message>
        <source>What a message asks for (triage)</source>
        <translation>意图分流</translation>
    </message>
    <message>
        <source>Reflection</source>
        <translation>回顾</translation>
    </message>
    <message>
        <source>Last floor</source>
        <translation>结束楼层</translation>
    </message>
    <message>
        <source>What was said before and still stands</source>
        <translation>先前说过、至今成立的话</translation>
    </message>
    <message>
        <source>The events to merge</source>
        <translation>要合并的事件</translation>
    </message>
    <message>
        <source>The same, with floors, time and place</source>
        <translation>同上，附楼层、时间与地点</translation>
    </message>
    <message>
        <source>How many events</source>
        <translation>事件条数</translation>
    </message>
    <message>
        <source>Most characters of the outline</source>
        <translation>大纲的字数上限</translation>
    </message>
    <message>
        <source>The messages of these events, if they are to be read</source>
        <translation>这些事件所讲的消息（若设为一并阅读）</translation>
    </message>
    <message>
        <source>The events since the last time</source>
        <translation>上次以来的事件</translation>
    </message>
    <message>
        <source>Profiles of whom they name</source>
        <translation>事件提到的实体的档案</translation>
    </message>
    <message>
        <source>The messages to think over</source>
        <translation>要回顾的消息</translation>
    </message>
    <message>
        <source>What is remembered of them already</source>
        <translation>其中已经记住的事</translation>
    </message>
    <message>
        <source>Whose thoughts may be noted</source>
        <translation>可以记日志的角色</translation>
    </message>
    <message>
        <source>Their newest private logs</source>
        <translation>他们最近的私有日志</translation>
    </message>
    <message>
        <source>The newest messages</source>
        <translation>最近的消息</translation>
    </message>
    <message>
        <source>What the player is about to send</source>
        <translation>玩家正要发送的话</translation>
    </message>
</context>
<context>
    <name>reports</name>
    <message>
        <source>the text is in GB18030, not UTF-8; it was converted</source>
        <translation>文本编码是 GB18030 而非 UTF-8，已转换</translation>
    </message>
    <message>
        <source>there are no messages in it</source>
        <translation>其中没有消息</translation>
    </message>
    <message>
        <source>the text looks as if it had been read in a wrong encoding (mojibake)</source>
        <translation>文本像是曾以错误的编码读取过（乱码）</translation>
    </message>
    <message>
        <source>a second chat begins here; its messages follow on</source>
        <translation>此处开始另一段聊天，其消息接在后面</translation>
    </message>
    <message>
        <source>a message without text; left out</source>
        <translation>没有正文的消息，已略过</translation>
    </message>
    <message>
        <source>the line is too long to be a message; left out</source>
        <translation>此行过长，不像一条消息，已略过</translation>
    </message>
    <message>
        <source>some bytes are not text; they were replaced</source>
        <translation>有些字节不是文本，已替换</translation>
    </message>
    <message>
        <source>NUL characters were dropped</source>
        <translation>已去掉 NUL 字符</translation>
    </message>
    <message>
        <source>not readable as JSON; left out</source>
        <translation>不是可读的 JSON，已略过</translation>
    </message>
    <message>
        <source>nested too deep; left out</source>
        <translation>嵌套过深，已略过</translation>
    </message>
    <message>
        <source>not a message; left out</source>
        <translation>不是消息，已略过</translation>
    </message>
    <message>
        <source>{count} more warnings like these</source>
        <translation>还有 {count} 条类似的警告</translation>
    </message>
    <message>
        <source>the messages changed meanwhile</source>
        <translation>消息在此期间有改动</translation>
    </message>
    <message>
        <source>its import was interrupted, and what there was of it was removed: import the file again</source>
        <translation>导入曾被打断，留下的部分已清除：请重新导入该文件</translation>
    </message>
    <message>
        <source>a chat folder the catalogue did not know; it is among the chats again</source>
        <translation>目录里没有登记的聊天文件夹；已重新列入聊天</translation>
    </message>
    <message>
        <source>an empty chat folder the catalogue did not know was removed</source>
        <translation>目录里没有登记的空聊天文件夹，已清除</translation>
    </message>
    <message>
        <source>a chat folder that the catalogue does not know</source>
        <translation>目录中没有登记的聊天文件夹</translation>
    </message>
    <message>
        <source>a chat folder that cannot be used; it was moved to the trash</source>
        <translation>无法使用的聊天文件夹；已移入回收站</translation>
    </message>
    <message>
        <source>a backup that was interrupted; what there was of it was deleted</source>
        <translation>被打断的备份；留下的部分已删除</translation>
    </message>
    <message>
        <source>there is nothing in this chat, as after an import that was interrupted</source>
        <translation>此聊天是空的，像是导入被打断所致</translation>
    </message>
    <message>
        <source>the database is whole</source>
        <translation>数据库完好</translation>
    </message>
    <message>
        <source>it holds what Engram does not make, or lacks what it makes: {names}</source>
        <translation>里面有不是 Engram 建立的内容，或缺少应有的：{names}</translation>
    </message>
    <message>
        <source>every memory is indexed</source>
        <translation>每条记忆都已建立索引</translation>
    </message>
    <message>
        <source>{count} memories are not indexed as they are</source>
        <translation>{count} 条记忆的索引与内容不符</translation>
    </message>
    <message>
        <source>there is no vector yet</source>
        <translation>还没有向量</translation>
    </message>
    <message>
        <source>the vector index holds all {count} vectors</source>
        <translation>向量索引含有全部 {count} 个向量</translation>
    </message>
    <message>
        <source>all {count} vectors are there and are searched in memory</source>
        <translation>全部 {count} 个向量都在，直接在内存中检索</translation>
    </message>
    <message>
        <source>the vector index cannot be used: {why}</source>
        <translation>向量索引无法使用：{why}</translation>
    </message>
    <message>
        <source>the change to the model {model} is at {share} %</source>
        <translation>正在换用模型 {model}，已完成 {share} %</translation>
    </message>
    <message>
        <source>the vector index differs from the vectors</source>
        <translation>向量索引与向量不一致</translation>
    </message>
    <message>
        <source>chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>entity</source>
        <translation>实体</translation>
    </message>
    <message>
        <source>relation</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>suggestion</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>private log</source>
        <translation>私有日志</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>resource</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>regex script</source>
        <translation>正则脚本</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>world book</source>
        <translation>世界书</translation>
    </message>
    <message>
        <source>preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>entry</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>character</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>kept world book</source>
        <translation>同步中的世界书</translation>
    </message>
    <message>
        <source>kept folder</source>
        <translation>同步的文件夹</translation>
    </message>
    <message>
        <source>conflict</source>
        <translation>冲突</translation>
    </message>
    <message>
        <source>deleted chat</source>
        <translation>已删除的聊天</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>known person</source>
        <translation>已知人物</translation>
    </message>
    <message>
        <source>group</source>
        <translation>组织</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态值</translation>
    </message>
    <message>
        <source>volume</source>
        <translation>记忆册</translation>
    </message>
    <message>
        <source>a chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>a character card (PNG)</source>
        <translation>角色卡（PNG）</translation>
    </message>
    <message>
        <source>a character card (JSON)</source>
        <translation>角色卡（JSON）</translation>
    </message>
    <message>
        <source>a ZIP archive or CHARX card</source>
        <translation>ZIP 压缩包或 CHARX 角色卡</translation>
    </message>
    <message>
        <source>a world book</source>
        <translation>世界书</translation>
    </message>
    <message>
        <source>a regex script</source>
        <translation>正则脚本</translation>
    </message>
    <message>
        <source>a chat of another program</source>
        <translation>其他程序的聊天</translation>
    </message>
    <message>
        <source>a file of memories</source>
        <translation>记忆文件</translation>
    </message>
    <message>
        <source>a volume</source>
        <translation>一本记忆册</translation>
    </message>
    <message>
        <source>an empty file</source>
        <translation>空文件</translation>
    </message>
    <message>
        <source>a file of an unknown kind</source>
        <translation>未知类型的文件</translation>
    </message>
    <message>
        <source>an answer named too much: {entities} new entities and {relations} new relations were left out</source>
        <translation>模型的回答里名字过多：{entities} 个新实体、{relations} 条新关系没有收入</translation>
    </message>
    <message>
        <source>the answer would have dropped most of what is known of {name}; it was left as it is</source>
        <translation>这次回答会丢掉“{name}”的大部分已知内容，因此保持原样</translation>
    </message>
    <message>
        <source>line {line}: {problem}</source>
        <translation>第 {line} 行：{problem}</translation>
    </message>
    <message>
        <source>it must not refer to its own parts (“*name”)</source>
        <translation>不能引用自身的部分（“*名字”）</translation>
    </message>
    <message>
        <source>it must be lines of “key: value”</source>
        <translation>每行应写成“键: 值”</translation>
    </message>
    <message>
        <source>Choose two entities to merge.</source>
        <translation>请选择两个要合并的实体。</translation>
    </message>
    <message>
        <source>“{alias}” is no alias of {entity}.</source>
        <translation>“{alias}”不是{entity}的别名。</translation>
    </message>
    <message>
        <source>A name has 1 to {most} characters.</source>
        <translation>名称长度为 1 到 {most} 个字符。</translation>
    </message>
    <message>
        <source>Entry {uid} is no entry; it is kept in the file and not used.</source>
        <translation>条目 {uid} 不是有效条目；它保留在文件中，但不会使用。</translation>
    </message>
    <message>
        <source>Entry {uid}: “{field}” holds nothing usable; its default is used.</source>
        <translation>条目 {uid}：“{field}”的内容不可用，已采用默认值。</translation>
    </message>
    <message>
        <source>There is another book of this name: it was stored as “{name}”.</source>
        <translation>已有同名世界书：本书存为“{name}”。</translation>
    </message>
    <message>
        <source>the archive is damaged</source>
        <translation>压缩包已损坏</translation>
    </message>
    <message>
        <source>it is encrypted, or packed in a way that is not known</source>
        <translation>它已加密，或压缩方式未知</translation>
    </message>
    <message>
        <source>it would unpack to far more than any card holds</source>
        <translation>解压后会远远超过任何角色卡的大小</translation>
    </message>
    <message>
        <source>it names a file outside of itself, “{name}”</source>
        <translation>它指向自身以外的文件“{name}”</translation>
    </message>
    <message>
        <source>its first bytes are not those of a PNG</source>
        <translation>开头的字节不是 PNG</translation>
    </message>
    <message>
        <source>there is no chunk at byte {at}</source>
        <translation>第 {at} 字节处没有数据块</translation>
    </message>
    <message>
        <source>it is cut off in its chunk {name}</source>
        <translation>在数据块 {name} 处被截断</translation>
    </message>
    <message>
        <source>the checksum of its chunk {name} is wrong</source>
        <translation>数据块 {name} 的校验和有误</translation>
    </message>
    <message>
        <source>it ends before its last chunk</source>
        <translation>在最后一个数据块之前就结束了</translation>
    </message>
    <message>
        <source>one of its texts has no end</source>
        <translation>其中一段文本没有结尾</translation>
    </message>
    <message>
        <source>one of its texts cannot be unpacked</source>
        <translation>其中一段文本无法解压</translation>
    </message>
    <message>
        <source>its text “{name}” is no base64</source>
        <translation>文本“{name}”不是 base64</translation>
    </message>
    <message>
        <source>a link; it was not followed</source>
        <translation>这是一个链接，已跳过</translation>
    </message>
    <message>
        <source>too many files; the rest was left out</source>
        <translation>文件太多，其余的已略过</translation>
    </message>
    <message>
        <source>cannot be read: {why}</source>
        <translation>无法读取：{why}</translation>
    </message>
    <message>
        <source>the file is too large; left out</source>
        <translation>文件太大，已略过</translation>
    </message>
    <message>
        <source>It is always on.</source>
        <translation>它是常驻条目。</translation>
    </message>
    <message>
        <source>It fired before and stays for {count} more messages.</source>
        <translation>它之前触发过，还会保持 {count} 条消息。</translation>
    </message>
    <message>
        <source>Its text begins with @@activate.</source>
        <translation>它的正文以 @@activate 开头。</translation>
    </message>
    <message>
        <source>Its meaning is near to what is being said ({score:.2f}).</source>
        <translation>它的语义与当前对话相近（{score:.2f}）。</translation>
    </message>
    <message>
        <source>It is switched off.</source>
        <translation>它已停用。</translation>
    </message>
    <message>
        <source>It waits until the chat has {count} messages.</source>
        <translation>要等聊天有 {count} 条消息。</translation>
    </message>
    <message>
        <source>It fired before and rests for {count} more messages.</source>
        <translation>它之前触发过，还要冷却 {count} 条消息。</translation>
    </message>
    <message>
        <source>It waits for other entries to mention it (level {level}).</source>
        <translation>它等待其他条目提到它（第 {level} 层）。</translation>
    </message>
    <message>
        <source>Its text begins with @@dont_activate.</source>
        <translation>它的正文以 @@dont_activate 开头。</translation>
    </message>
    <message>
        <source>It has no keyword.</source>
        <translation>它没有关键词。</translation>
    </message>
    <message>
        <source>No keyword of it is mentioned, and meaning is not asked: Vector Storage for world info is off, as the settings have it.</source>
        <translation>它的关键词都没有出现，也不会按语义触发：设置里，世界书的 Vector Storage 是关着的。</translation>
    </message>
    <message>
        <source>None of its keywords is in the last {depth} messages.</source>
        <translation>最近 {depth} 条消息里没有它的关键词。</translation>
    </message>
    <message>
        <source>Its chance is {probability:g} %, and {roll:.0f} was rolled.</source>
        <translation>触发概率 {probability:g}%，掷出了 {roll:.0f}。</translation>
    </message>
    <message>
        <source>No room: it needs {tokens} tokens, and {budget} are all there is.</source>
        <translation>预算不足：需要 {tokens} token，总共只有 {budget}。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned in message {number}, counted from the last.</source>
        <translation>倒数第 {number} 条消息提到了“{key}”。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned in the last message.</source>
        <translation>最后一条消息提到了“{key}”。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned in the character card.</source>
        <translation>角色卡提到了“{key}”。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned in a note among the messages.</source>
        <translation>“{key}”出现在插入消息之间的笔记里。</translation>
    </message>
    <message>
        <source>One of its keywords is blank, which is found everywhere.</source>
        <translation>它有一个关键词是空白，空白处处都有。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned by the entry “{entry}”.</source>
        <translation>条目“{entry}”提到了“{key}”。</translation>
    </message>
    <message>
        <source>The pattern {key} matches.</source>
        <translation>正则 {key} 匹配。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned, but none of the secondary keywords.</source>
        <translation>提到了“{key}”，但没有任何次要关键词。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned, but so are all secondary keywords.</source>
        <translation>提到了“{key}”，但所有次要关键词也都提到了。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned, but so is a secondary keyword.</source>
        <translation>提到了“{key}”，但也提到了某个次要关键词。</translation>
    </message>
    <message>
        <source>“{key}” is mentioned, but not all secondary keywords are.</source>
        <translation>提到了“{key}”，但次要关键词没有全部提到。</translation>
    </message>
    <message>
        <source>“{winner}” of the group “{group}” still stays.</source>
        <translation>分组“{group}”中的“{winner}”仍在保持。</translation>
    </message>
    <message>
        <source>“{winner}” of the group “{group}” fired already.</source>
        <translation>分组“{group}”中的“{winner}”已经触发。</translation>
    </message>
    <message>
        <source>“{winner}” of the group “{group}” has more keywords mentioned.</source>
        <translation>分组“{group}”中的“{winner}”命中了更多关键词。</translation>
    </message>
    <message>
        <source>“{winner}” of the group “{group}” goes first.</source>
        <translation>分组“{group}”中的“{winner}”优先。</translation>
    </message>
    <message>
        <source>“{winner}” of the group “{group}” was drawn.</source>
        <translation>分组“{group}”中抽中了“{winner}”。</translation>
    </message>
    <message>
        <source>It stays and rests at once, and so leaves its group “{group}”.</source>
        <translation>它同时处于保持和冷却之中，因此退出分组“{group}”。</translation>
    </message>
    <message>
        <source>“{winner}” was out already when it lost in the group “{group}” too; SillyTavern then leaves out whichever entry is the last.</source>
        <translation>“{winner}”在分组“{group}”落选之前已经出局；这时 SillyTavern 会去掉排在最后的那一条。</translation>
    </message>
    <message>
        <source>It is not meant for an ordinary reply.</source>
        <translation>它不用于普通回复。</translation>
    </message>
    <message>
        <source>It is not meant for a reply that is continued.</source>
        <translation>它不用于续写。</translation>
    </message>
    <message>
        <source>It is not meant for a reply written for the player.</source>
        <translation>它不用于代玩家发言。</translation>
    </message>
    <message>
        <source>It is not meant for another swipe.</source>
        <translation>它不用于换一条（滑动）。</translation>
    </message>
    <message>
        <source>It is not meant for a reply made again.</source>
        <translation>它不用于重新生成的回复。</translation>
    </message>
    <message>
        <source>It is not meant for a quiet request.</source>
        <translation>它不用于静默请求。</translation>
    </message>
    <message>
        <source>It is only for other characters: {wanted}.</source>
        <translation>它只用于其他角色：{wanted}。</translation>
    </message>
    <message>
        <source>It is for all characters but {wanted}.</source>
        <translation>它用于除 {wanted} 以外的角色。</translation>
    </message>
    <message>
        <source>It is only for characters with another tag: {wanted}.</source>
        <translation>它只用于带有其他标签的角色：{wanted}。</translation>
    </message>
    <message>
        <source>It is for all characters but those with the tag {wanted}.</source>
        <translation>它不用于带有标签“{wanted}”的角色。</translation>
    </message>
    <message>
        <source>Its pattern could not be tried: {detail}</source>
        <translation>它的正则无法执行：{detail}</translation>
    </message>
    <message>
        <source>Its keyword is a pattern, and patterns cannot be tried here.</source>
        <translation>它的关键词是正则，这里无法执行正则。</translation>
    </message>
    <message>
        <source>Regex scripts that came with the card: {count}. They are off until you switch them on under Scripts and prompts.</source>
        <translation>角色卡附带 {count} 条正则脚本，目前关闭；可在“脚本与提示词”里启用。</translation>
    </message>
    <message>
        <source>There is no regex script to write.</source>
        <translation>没有可写出的正则脚本。</translation>
    </message>
    <message>
        <source>Another program changed it, so it is left as it is: somebody edited it, or an open SillyTavern saved its own older copy. Merge the two, entry by entry, and then reload SillyTavern&apos;s page; or keep a new file in sync instead.</source>
        <translation>其他程序改过它，所以保持原样：有人修改过，或者打开着的 SillyTavern 保存了自己的旧内容。请逐条合并两边，然后刷新 SillyTavern 页面；也可以改为同步到一个新文件。</translation>
    </message>
    <message>
        <source>The file is gone. Sync to write it again, or stop keeping it in sync.</source>
        <translation>文件不见了。再点一次同步会重新写出，或者停止同步。</translation>
    </message>
    <message>
        <source>It could not be written just now; the next change of the memory tries again. Is it open in another program, or the disk full?</source>
        <translation>刚才无法写入；记忆下次变化时会再试。它是否正被别的程序打开，或者磁盘已满？</translation>
    </message>
    <message>
        <source>Its chat or branch is gone. Stop keeping it in sync; the file stays.</source>
        <translation>它对应的聊天或分支已不存在。请停止同步；文件会保留。</translation>
    </message>
    <message>
        <source>system part</source>
        <translation>系统提示</translation>
    </message>
    <message>
        <source>user part</source>
        <translation>用户提示</translation>
    </message>
    <message>
        <source>It also holds {count} memories of another tool. They can be taken over into the chat.</source>
        <translation>其中还有另一个工具的 {count} 条记忆，可以接收到这个聊天里。</translation>
    </message>
    <message>
        <source>{count} memories were left out: what is here from the same place is newer.</source>
        <translation>有 {count} 条记忆没有接收：这里同一来源的记忆更新。</translation>
    </message>
    <message>
        <source>a number is too long</source>
        <translation>有一个数字过长</translation>
    </message>
    <message>
        <source>The file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>more text follows the end</source>
        <translation>结尾之后还有多余内容</translation>
    </message>
    <message>
        <source>a value is missing</source>
        <translation>缺少一个值</translation>
    </message>
    <message>
        <source>a name in double quotes is missing</source>
        <translation>缺少用双引号括起的名称</translation>
    </message>
    <message>
        <source>a colon is missing</source>
        <translation>缺少冒号</translation>
    </message>
    <message>
        <source>a comma is missing</source>
        <translation>缺少逗号</translation>
    </message>
    <message>
        <source>a text has no closing quotation mark</source>
        <translation>有一段文本缺少结尾引号</translation>
    </message>
    <message>
        <source>a text holds a backslash that means nothing</source>
        <translation>有一段文本含无效的反斜杠</translation>
    </message>
    <message>
        <source>a comma has nothing behind it</source>
        <translation>逗号之后没有内容</translation>
    </message>
    <message>
        <source>no such side of the lab</source>
        <translation>实验室没有这一项</translation>
    </message>
    <message>
        <source>Budgets are whole numbers from {least} to {most}, with commas.</source>
        <translation>预算是 {least} 到 {most} 的整数，用逗号分隔。</translation>
    </message>
    <message>
        <source>it must be {kind}</source>
        <translation>必须是{kind}</translation>
    </message>
    <message>
        <source>it must be one of {choices}</source>
        <translation>必须是以下之一：{choices}</translation>
    </message>
    <message>
        <source>it must be from {low} to {high}</source>
        <translation>必须在 {low} 到 {high} 之间</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>it is too large</source>
        <translation>文件过大</translation>
    </message>
    <message>
        <source>it is not UTF-8</source>
        <translation>不是 UTF-8 编码</translation>
    </message>
    <message>
        <source>it is not JSON</source>
        <translation>不是 JSON</translation>
    </message>
    <message>
        <source>the list is empty</source>
        <translation>列表是空的</translation>
    </message>
    <message>
        <source>a script has no name</source>
        <translation>有脚本没有名称</translation>
    </message>
    <message>
        <source>it holds {char}</source>
        <translation>其中含有{char}</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>内容为空</translation>
    </message>
    <message>
        <source>it must begin with http:// or https://</source>
        <translation>必须以 http:// 或 https:// 开头</translation>
    </message>
    <message>
        <source>it names no host</source>
        <translation>没有写主机名</translation>
    </message>
    <message>
        <source>it must not hold a user name or password</source>
        <translation>不能包含用户名或密码</translation>
    </message>
    <message>
        <source>it must not hold “?” or “#”; a key has its own field</source>
        <translation>不能含有“?”或“#”；密钥有自己的输入框</translation>
    </message>
    <message>
        <source>port 0 cannot be reached</source>
        <translation>端口 0 无法连接</translation>
    </message>
    <message>
        <source>it is a link-local address</source>
        <translation>这是链路本地地址</translation>
    </message>
    <message>
        <source>line break</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>blank</source>
        <translation>空白</translation>
    </message>
    <message>
        <source>it redirects to {target}</source>
        <translation>它重定向到 {target}</translation>
    </message>
    <message>
        <source>there is nothing at this address (404: {words})</source>
        <translation>这个地址没有内容（404：{words}）</translation>
    </message>
    <message>
        <source>it answers with a web page</source>
        <translation>它返回的是网页</translation>
    </message>
    <message>
        <source>the answer is empty</source>
        <translation>返回内容为空</translation>
    </message>
    <message>
        <source>it gives no reason</source>
        <translation>没有说明原因</translation>
    </message>
    <message>
        <source>no connection</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>no connection in time</source>
        <translation>连接超时</translation>
    </message>
    <message>
        <source>no answer in time</source>
        <translation>等待回答超时</translation>
    </message>
    <message>
        <source>its certificate is not trusted ({reason})</source>
        <translation>证书不受信任（{reason}）</translation>
    </message>
    <message>
        <source>no encrypted connection (TLS: {reason})</source>
        <translation>无法建立加密连接（TLS：{reason}）</translation>
    </message>
    <message>
        <source>the proxy refused ({reason})</source>
        <translation>代理拒绝了请求（{reason}）</translation>
    </message>
    <message>
        <source>the connection broke before the answer was complete</source>
        <translation>回答尚未传完连接就中断了</translation>
    </message>
    <message>
        <source>{found} vectors for {count} texts</source>
        <translation>{count} 段文本只得到 {found} 个向量</translation>
    </message>
    <message>
        <source>vectors without a sound index</source>
        <translation>向量的序号不正确</translation>
    </message>
    <message>
        <source>vectors of different dimensions: {sizes}</source>
        <translation>向量维度不一致：{sizes}</translation>
    </message>
    <message>
        <source>something that is not a vector</source>
        <translation>返回的不是向量</translation>
    </message>
    <message>
        <source>a vector that holds NaN or infinity</source>
        <translation>向量中含有 NaN 或无穷大</translation>
    </message>
    <message>
        <source>a vector of nothing but zeros</source>
        <translation>向量全为零</translation>
    </message>
    <message>
        <source>it is longer than {most} letters</source>
        <translation>超过 {most} 个字符</translation>
    </message>
    <message>
        <source>it goes through more than one list</source>
        <translation>嵌套遍历了多个列表</translation>
    </message>
    <message>
        <source>“map” makes a list: use “all” or “exists”</source>
        <translation>“map”得到的是列表：请用“all”或“exists”</translation>
    </message>
    <message>
        <source>it would take too long, since its lists are too long</source>
        <translation>其中的列表太长，计算会花太久</translation>
    </message>
    <message>
        <source>it is neither true nor false but {value}</source>
        <translation>结果不是真或假，而是 {value}</translation>
    </message>
    <message>
        <source>it cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>values of different kinds cannot be compared</source>
        <translation>不同类型的值无法比较</translation>
    </message>
    <message>
        <source>the state holds no {name}</source>
        <translation>状态中没有“{name}”</translation>
    </message>
    <message>
        <source>it is damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>it cannot be written</source>
        <translation>无法写入</translation>
    </message>
    <message>
        <source>the key is too long for it</source>
        <translation>密钥太长，存不下</translation>
    </message>
    <message>
        <source>there is none</source>
        <translation>没有可用的密钥环</translation>
    </message>
    <message>
        <source>it is locked or refused</source>
        <translation>已锁定或拒绝访问</translation>
    </message>
    <message>
        <source>a list of models was expected</source>
        <translation>应返回模型列表</translation>
    </message>
    <message>
        <source>there is no message in it</source>
        <translation>其中没有消息</translation>
    </message>
    <message>
        <source>no results for the texts to be ranked</source>
        <translation>没有返回排序结果</translation>
    </message>
    <message>
        <source>a result without a sound index and score</source>
        <translation>有结果的序号或分数不正确</translation>
    </message>
    <message>
        <source>it read only {read} of about {sent} tokens</source>
        <translation>约 {sent} 个 token 只读了 {read} 个</translation>
    </message>
    <message>
        <source>the server&apos;s content filter stopped it</source>
        <translation>被服务器的内容过滤拦截</translation>
    </message>
    <message>
        <source>no complete answer within {limit} s</source>
        <translation>{limit} 秒内没有完整的回答</translation>
    </message>
    <message>
        <source>No backup holds a chat that cannot be read now ({names}).</source>
        <translation>没有备份保存着现在无法读取的聊天（{names}）。</translation>
    </message>
    <message>
        <source>{file} cannot be read as a backup: {detail}.</source>
        <translation>无法作为备份读取 {file}：{detail}。</translation>
    </message>
    <message>
        <source>{file} cannot be read as a backup: {name} is empty.</source>
        <translation>无法作为备份读取 {file}：{name} 是空的。</translation>
    </message>
    <message>
        <source>{file} is not restored: {name} holds what Engram does not make ({names}). Somebody changed this backup.</source>
        <translation>未恢复 {file}：{name} 里有不是 Engram 建立的内容（{names}）。这份备份被人改过。</translation>
    </message>
    <message>
        <source>{file} is not a backup made by Engram.</source>
        <translation>{file} 不是 Engram 制作的备份。</translation>
    </message>
    <message>
        <source>{file} is too large to be a backup.</source>
        <translation>{file} 过大，不可能是备份。</translation>
    </message>
    <message>
        <source>There is no floor {at} to fork at; the last is {last}.</source>
        <translation>没有可分支的第 {at} 楼，最后一楼是 {last}。</translation>
    </message>
    <message>
        <source>A branch cannot be called “{wanted}”: the name is empty or taken.</source>
        <translation>分支不能命名为“{wanted}”：名称为空或已被使用。</translation>
    </message>
    <message>
        <source>The main branch cannot be deleted; delete the chat instead.</source>
        <translation>主线不能删除；可以改为删除整个聊天。</translation>
    </message>
    <message>
        <source>Other branches fork from this one; delete them first.</source>
        <translation>还有分支从这里分出，请先删除它们。</translation>
    </message>
    <message>
        <source>another program or task edited the event “{summary}”</source>
        <translation>别的程序或任务改了事件“{summary}”</translation>
    </message>
    <message>
        <source>The summary must say what happened.</source>
        <translation>摘要必须写明发生了什么。</translation>
    </message>
    <message>
        <source>The floors must be from 0 to {last}.</source>
        <translation>楼层必须在 0 到 {last} 之间。</translation>
    </message>
    <message>
        <source>its messages</source>
        <translation>它的消息</translation>
    </message>
    <message>
        <source>Its messages have changed since: it cannot be saved as it is.</source>
        <translation>它的消息后来改过，不能照原样保存。</translation>
    </message>
    <message>
        <source>A question of the lab needs its text and what it should find.</source>
        <translation>实验室的问题需要问题文本和应当找到的内容。</translation>
    </message>
    <message>
        <source>The floors the entry covers are missing.</source>
        <translation>缺少这条记录对应的楼层。</translation>
    </message>
    <message>
        <source>A private log needs an owner and a text.</source>
        <translation>私密日志需要所有者和正文。</translation>
    </message>
    <message>
        <source>A conditional memory needs its condition.</source>
        <translation>条件记忆需要写明条件。</translation>
    </message>
    <message>
        <source>A prompt needs a text for the user&apos;s part, of at most 200,000 letters.</source>
        <translation>提示词的用户部分不能为空，且最多 200,000 字。</translation>
    </message>
    <message>
        <source>The chat has no message yet.</source>
        <translation>聊天中还没有消息。</translation>
    </message>
    <message>
        <source>Nothing is remembered of these floors yet: summarise them first.</source>
        <translation>这些楼层还没有记忆，请先生成摘要。</translation>
    </message>
    <message>
        <source>it holds no JSON object</source>
        <translation>其中没有 JSON 对象</translation>
    </message>
    <message>
        <source>it names nothing to search for</source>
        <translation>没有给出要搜索的内容</translation>
    </message>
    <message>
        <source>A floor is 0 or more.</source>
        <translation>楼层从 0 开始。</translation>
    </message>
    <message>
        <source>It began at floor {floor}; it cannot have ended before.</source>
        <translation>它始于第 {floor} 楼，不可能在那之前结束。</translation>
    </message>
    <message>
        <source>A relation links two different entities.</source>
        <translation>关系连接的是两个不同的实体。</translation>
    </message>
    <message>
        <source>The words of a relation have 1 to {most} characters.</source>
        <translation>关系的措辞为 1 到 {most} 个字符。</translation>
    </message>
    <message>
        <source>the preset brings none</source>
        <translation>该预设不带脚本</translation>
    </message>
    <message>
        <source>the chat has other messages now</source>
        <translation>聊天的消息已经变了</translation>
    </message>
    <message>
        <source>Floor {floor} belongs to the branch this one was forked from: change it there.</source>
        <translation>第 {floor} 楼属于上级分支，请到那里修改。</translation>
    </message>
    <message>
        <source>it names no level</source>
        <translation>没有给出级别</translation>
    </message>
    <message>
        <source>Only an outline can be taken apart.</source>
        <translation>只有纲要可以拆开。</translation>
    </message>
    <message>
        <source>Outlines made without the model: {count}. {reason}</source>
        <translation>未经模型生成的大纲：{count} 条。{reason}</translation>
    </message>
    <message>
        <source>it holds no outline</source>
        <translation>其中没有纲要</translation>
    </message>
    <message>
        <source>it is hardly shorter than the events it was to be made of</source>
        <translation>它几乎不比要合并的事件短</translation>
    </message>
    <message>
        <source>{path} cannot be used: {detail}.</source>
        <translation>无法使用 {path}：{detail}。</translation>
    </message>
    <message>
        <source>“{name}” already names another entity; merge the two instead</source>
        <translation>“{name}”已是另一个实体的名称，可以把两者合并</translation>
    </message>
    <message>
        <source>the newest step is now “{step}”</source>
        <translation>最新的一步现在是“{step}”</translation>
    </message>
    <message>
        <source>a later change to the same rows stands in the way</source>
        <translation>之后对同一内容的修改挡住了它</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be used: {detail}.</source>
        <translation>无法使用文件夹 {folder}：{detail}。</translation>
    </message>
    <message>
        <source>the file is missing</source>
        <translation>文件不存在</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件是空的</translation>
    </message>
    <message>
        <source>it is a database of another program</source>
        <translation>这是其他程序的数据库</translation>
    </message>
    <message>
        <source>&lt;% has no %&gt;</source>
        <translation>&lt;% 没有对应的 %&gt;</translation>
    </message>
    <message>
        <source>{name} is for SillyTavern itself</source>
        <translation>{name} 只能由 SillyTavern 自己执行</translation>
    </message>
    <message>
        <source>it changes how JavaScript writes values</source>
        <translation>它改变了 JavaScript 写出数值的方式</translation>
    </message>
    <message>
        <source>there is nothing at this place</source>
        <translation>这个位置没有内容</translation>
    </message>
    <message>
        <source>a number can only be added to a number</source>
        <translation>只有数值才能做加减</translation>
    </message>
    <message>
        <source>this place is no list</source>
        <translation>这个位置不是列表</translation>
    </message>
    <message>
        <source>this place is inside of a plain value</source>
        <translation>这个位置在一个普通值之内</translation>
    </message>
    <message>
        <source>this place is too deep, or in too long a list</source>
        <translation>层级过深，或列表过长</translation>
    </message>
    <message>
        <source>the block never ends: the reply was cut off</source>
        <translation>更新块没有结束：回复被截断</translation>
    </message>
    <message>
        <source>it holds no list of operations</source>
        <translation>其中没有操作列表</translation>
    </message>
    <message>
        <source>the operation “{op}” is unknown</source>
        <translation>未知的操作“{op}”</translation>
    </message>
    <message>
        <source>an operation names no place</source>
        <translation>有操作没有写明位置</translation>
    </message>
    <message>
        <source>there are more than {most} operations</source>
        <translation>操作超过 {most} 个</translation>
    </message>
    <message>
        <source>A state needs the place where it stands.</source>
        <translation>请写明状态的位置。</translation>
    </message>
    <message>
        <source>What is sent to {host} crosses the network unencrypted, the key with it: use https:// if the server has it.</source>
        <translation>发往 {host} 的内容在网络上不加密，密钥也一样：服务器支持的话请用 https://。</translation>
    </message>
    <message>
        <source>no line of serve.endpoints is called “{name}”</source>
        <translation>serve.endpoints 里没有名为“{name}”的一行</translation>
    </message>
    <message>
        <source>it is no regular file</source>
        <translation>它不是普通文件</translation>
    </message>
    <message>
        <source>its name is not UTF-8; rename it</source>
        <translation>文件名不是 UTF-8；请重命名</translation>
    </message>
    <message>
        <source>it is larger than {limit} MB</source>
        <translation>它超过 {limit} MB</translation>
    </message>
    <message>
        <source>This chat lies in no SillyTavern folder.</source>
        <translation>此聊天不在任何 SillyTavern 文件夹里。</translation>
    </message>
    <message>
        <source>The templates of the SillyTavern this chat is of cannot be read.</source>
        <translation>无法读取此聊天所属 SillyTavern 的模板。</translation>
    </message>
    <message>
        <source>The story string is not written as one: {name}.</source>
        <translation>故事字符串的写法有误：{name}。</translation>
    </message>
    <message>
        <source>the file was changed again; compare it once more</source>
        <translation>文件又被改动了，请重新比较</translation>
    </message>
    <message>
        <source>it states no version</source>
        <translation>其中没有版本信息</translation>
    </message>
    <message>
        <source>{path} cannot be {wanted}: it is {value}</source>
        <translation>{path} 不能是{wanted}：现在是 {value}</translation>
    </message>
    <message>
        <source>A group is no member of itself.</source>
        <translation>群体不能是自己的成员。</translation>
    </message>
    <message>
        <source>A name is expected.</source>
        <translation>需要一个名字。</translation>
    </message>
    <message>
        <source>a routine turn leaves no event</source>
        <translation>日常轮次不留下事件</translation>
    </message>
    <message>
        <source>only the first of {count} events is kept</source>
        <translation>{count} 个事件里只保留第一个</translation>
    </message>
    <message>
        <source>The newest message is no reply.</source>
        <translation>最新的消息不是回复。</translation>
    </message>
    <message>
        <source>The written scene ends here.</source>
        <translation>现成的剧本到此结束。</translation>
    </message>
    <message>
        <source>There is no reading {number}.</source>
        <translation>没有第 {number} 个版本。</translation>
    </message>
    <message>
        <source>Floor {floor} was not played here.</source>
        <translation>第 {floor} 楼不是在这里演的。</translation>
    </message>
    <message>
        <source>A chat needs a character to talk with.</source>
        <translation>对话需要一个角色。</translation>
    </message>
    <message>
        <source>There is no greeting {number}.</source>
        <translation>没有第 {number} 个开场白。</translation>
    </message>
    <message>
        <source>Nobody in this chat can reply.</source>
        <translation>这个聊天里没有人能回复。</translation>
    </message>
    <message>
        <source>A reply is being written here already.</source>
        <translation>这里已经在写一条回复。</translation>
    </message>
    <message>
        <source>it holds no reply</source>
        <translation>其中没有回复</translation>
    </message>
    <message>
        <source>a line is name = base URL</source>
        <translation>每行应为 名字 = 地址</translation>
    </message>
    <message>
        <source>this name is there twice</source>
        <translation>这个名字出现了两次</translation>
    </message>
    <message>
        <source>it sent nothing more in time</source>
        <translation>它迟迟没有再发来内容</translation>
    </message>
    <message>
        <source>it was sent to a name that is not this server&apos;s</source>
        <translation>它发往的主机名不是本服务器的</translation>
    </message>
    <message>
        <source>a page of “{origin}” may not use the server: see serve.origins</source>
        <translation>“{origin}”的网页不可使用服务器：见设置 serve.origins</translation>
    </message>
    <message>
        <source>it has no key</source>
        <translation>没有带密钥</translation>
    </message>
    <message>
        <source>its key is not the server&apos;s</source>
        <translation>密钥不对</translation>
    </message>
    <message>
        <source>the program that asked went away</source>
        <translation>发出请求的程序已断开</translation>
    </message>
    <message>
        <source>the memory server was stopped</source>
        <translation>记忆服务器已停止</translation>
    </message>
    <message>
        <source>Memory failed here; the log says how.</source>
        <translation>记忆出错了，日志里写着原因。</translation>
    </message>
    <message>
        <source>Memory took longer than {ms} ms.</source>
        <translation>记忆用时超过 {ms} 毫秒。</translation>
    </message>
    <message>
        <source>The model&apos;s context of {tokens} tokens is full.</source>
        <translation>模型的上下文（{tokens} 个 token）已满。</translation>
    </message>
    <message>
        <source>With memory the model&apos;s server refused the request: {words}</source>
        <translation>带上记忆后模型服务拒绝了请求：{words}</translation>
    </message>
    <message>
        <source>the request is no JSON that can be read</source>
        <translation>请求不是可读的 JSON</translation>
    </message>
    <message>
        <source>It was not kept: too much waits for the disk.</source>
        <translation>未保存：等待写入的内容太多。</translation>
    </message>
    <message>
        <source>The model&apos;s server counted only {read} of about {sent} tokens. If its context is that short, enter it in the settings as context of the model.</source>
        <translation>约 {sent} 个 token，模型服务只算了 {read} 个。如果它的上下文就这么短，请在设置的“模型的上下文”里填上。</translation>
    </message>
    <message>
        <source>It was not kept: another program has this library open.</source>
        <translation>没有保存：资料库正由另一个程序打开着。</translation>
    </message>
    <message>
        <source>Nothing answers at {url} ({words}). Try this address with /v1 at its end, in the settings.</source>
        <translation>{url} 上没有这项服务（{words}）。请在设置里把地址末尾加上 /v1 再试。</translation>
    </message>
    <message>
        <source>the file of this chat is followed</source>
        <translation>这个聊天的文件正在被跟随</translation>
    </message>
    <message>
        <source>SillyTavern reported this chat</source>
        <translation>SillyTavern 告知了这个聊天</translation>
    </message>
    <message>
        <source>nothing is known of this chat</source>
        <translation>还不认识这个聊天</translation>
    </message>
    <message>
        <source>Several chats are called “{name}”.</source>
        <translation>有好几个聊天叫“{name}”。</translation>
    </message>
    <message>
        <source>No chat is called “{name}” yet.</source>
        <translation>还没有叫“{name}”的聊天。</translation>
    </message>
    <message>
        <source>The address or a header names this chat.</source>
        <translation>地址或请求头写明了这个聊天。</translation>
    </message>
    <message>
        <source>You said that this is no chat of the library.</source>
        <translation>你说过它不是资料库里的聊天。</translation>
    </message>
    <message>
        <source>You said that it is this chat.</source>
        <translation>你说过它就是这个聊天。</translation>
    </message>
    <message>
        <source>{count} chats hold its messages alike: it may be of each.</source>
        <translation>有 {count} 个聊天都含有它的消息：哪个都有可能。</translation>
    </message>
    <message>
        <source>{count} of its {of} messages stand at the end of this chat.</source>
        <translation>它的 {of} 条消息中，有 {count} 条就在这个聊天的末尾。</translation>
    </message>
    <message>
        <source>A new chat with {name}: the card stands in it.</source>
        <translation>与 {name} 的新聊天：请求里有这张角色卡。</translation>
    </message>
    <message>
        <source>No chat of the library holds its messages.</source>
        <translation>资料库里没有聊天含有它的消息。</translation>
    </message>
    <message>
        <source>it is no object</source>
        <translation>它不是对象</translation>
    </message>
    <message>
        <source>It was stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Tools that write are off: the setting serve.mcp_writes allows them.</source>
        <translation>会写入的工具已关闭：可用设置 serve.mcp_writes 打开。</translation>
    </message>
    <message>
        <source>An event needs a summary.</source>
        <translation>事件需要摘要。</translation>
    </message>
    <message>
        <source>A text of at most {most} characters is expected.</source>
        <translation>文字最多 {most} 个字符。</translation>
    </message>
    <message>
        <source>the list of models is too long</source>
        <translation>模型列表太长</translation>
    </message>
    <message>
        <source>{host} did not name its models in time.</source>
        <translation>{host} 没有及时列出模型。</translation>
    </message>
    <message>
        <source>its address is empty</source>
        <translation>地址是空的</translation>
    </message>
    <message>
        <source>Who looks must be in a chat: name it.</source>
        <translation>以某人视角搜索时，必须指定聊天。</translation>
    </message>
    <message>
        <source>From 2 to {most} events become one.</source>
        <translation>一次可以合并 2 到 {most} 条事件。</translation>
    </message>
    <message>
        <source>A locked event cannot be joined. Unlock it first.</source>
        <translation>已锁定的事件不能合并，请先解锁。</translation>
    </message>
    <message>
        <source>Outlines cannot be joined with events.</source>
        <translation>大纲不能与事件合并。</translation>
    </message>
    <message>
        <source>Events of different branches cannot be joined.</source>
        <translation>不同分支的事件不能合并。</translation>
    </message>
    <message>
        <source>Only an event that is not locked, and no outline, can be split.</source>
        <translation>只能拆分未锁定的事件，大纲不能拆分。</translation>
    </message>
    <message>
        <source>The second part must begin inside the event&apos;s floors.</source>
        <translation>第二部分必须从事件的楼层之内开始。</translation>
    </message>
    <message>
        <source>{program} (process {pid} on {host}, since {since})</source>
        <translation>{program}（进程 {pid}，位于 {host}，自 {since}）</translation>
    </message>
    <message>
        <source>another program</source>
        <translation>另一个程序</translation>
    </message>
    <message>
        <source>its tables are not those of Engram: {names}</source>
        <translation>其中的表不是 Engram 的：{names}</translation>
    </message>
    <message>
        <source>the content of a volume is damaged</source>
        <translation>一本记忆册的内容已损坏</translation>
    </message>
    <message>
        <source>A private note has {count} characters: at most {most} are kept.</source>
        <translation>私人备注有 {count} 个字：最多保存 {most} 个字。</translation>
    </message>
    <message>
        <source>its front matter has no end: a line of --- is missing</source>
        <translation>它的文件头没有结束：缺少一行 ---</translation>
    </message>
    <message>
        <source>“{name}” in its front matter cannot be read</source>
        <translation>文件头里的“{name}”无法读取</translation>
    </message>
    <message>
        <source>it has no text</source>
        <translation>它没有正文</translation>
    </message>
    <message>
        <source>it is no text in UTF-8</source>
        <translation>它不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>its import was stopped: {there} of its {count} messages are in “{chat}”; import it again to take in the others</source>
        <translation>导入中途停止：{count} 条消息中有 {there} 条在“{chat}”里；重新导入即可补上其余的</translation>
    </message>
    <message>
        <source>its import was stopped; nothing of it is here: import it again</source>
        <translation>导入中途停止，什么都没有留下：请重新导入</translation>
    </message>
    <message>
        <source>its import was stopped: import it again to take in all of it</source>
        <translation>导入中途停止：重新导入即可全部导入</translation>
    </message>
    <message>
        <source>its import was stopped, and it cannot be read any more; what had come in is kept</source>
        <translation>导入中途停止，文件也已无法读取；已导入的部分保留着</translation>
    </message>
    <message>
        <source>The folder is gone. Nothing was deleted here because of that.</source>
        <translation>文件夹不见了。这里没有因此删除任何内容。</translation>
    </message>
    <message>
        <source>Its chat or branch is gone. Stop keeping the folder; its files stay.</source>
        <translation>它的聊天或分支不在了。请停止同步；文件保留。</translation>
    </message>
    <message>
        <source>It could not be written just now; the next look tries again.</source>
        <translation>刚才未能写入；下次会再试。</translation>
    </message>
    <message>
        <source>it was changed in the file and here: choose which is to stand</source>
        <translation>文件和这里都改过：请选择保留哪一边</translation>
    </message>
    <message>
        <source>it was changed in the file and deleted here: choose which is to stand</source>
        <translation>文件里改过，这里已删除：请选择保留哪一边</translation>
    </message>
    <message>
        <source>its file was deleted and it was changed here: choose which stands</source>
        <translation>文件已删除，这里改过：请选择保留哪一边</translation>
    </message>
    <message>
        <source>it is a link, which is not followed</source>
        <translation>它是链接，不跟随</translation>
    </message>
    <message>
        <source>it is larger than {limit} kB</source>
        <translation>它超过 {limit} kB</translation>
    </message>
    <message>
        <source>it cannot be read: {reason}</source>
        <translation>无法读取：{reason}</translation>
    </message>
    <message>
        <source>another file has the same name but for the case of its letters</source>
        <translation>另一个文件的名字只有大小写不同</translation>
    </message>
    <message>
        <source>another file is of the same memory ({file})</source>
        <translation>另一个文件对应同一条记忆（{file}）</translation>
    </message>
    <message>
        <source>floors, people and what it is cannot be changed in the file: put them back</source>
        <translation>楼、人物和类型不能在文件里改：请改回去</translation>
    </message>
    <message>
        <source>a file makes an event or a fact; entities come from the story</source>
        <translation>文件只能新建事件或事实；实体来自故事</translation>
    </message>
    <message>
        <source>more than {most} files: the others are not looked at</source>
        <translation>文件超过 {most} 个：其余的不看</translation>
    </message>
    <message>
        <source>This chat has {count} memories: a folder takes at most {most} files.</source>
        <translation>这个聊天有 {count} 条记忆：一个文件夹最多 {most} 个文件。</translation>
    </message>
    <message>
        <source>{count} of {all} files are gone at once: nothing was deleted here. Say that it was meant, or bring them back</source>
        <translation>{all} 个文件中有 {count} 个一下子不见了：这里什么都没有删除。请确认是有意的，或把文件放回去</translation>
    </message>
    <message>
        <source>{path} cannot be written: {detail}.</source>
        <translation>无法写入 {path}：{detail}。</translation>
    </message>
    <message>
        <source>Words of message #{floor} are expected, as they stand there.</source>
        <translation>需要第 #{floor} 条消息里的原文。</translation>
    </message>
    <message>
        <source>It was not kept: the prompt does not show who says what. Let the program put names before messages, or use its chat completion.</source>
        <translation>没有保存：从提示词里看不出每句话是谁说的。请让该程序在消息前加上名字，或改用它的聊天补全。</translation>
    </message>
</context>
<context>
    <name>settings</name>
    <message>
        <source>Floors per summary</source>
        <translation>每次摘要的楼层数</translation>
    </message>
    <message>
        <source>How many messages one summary covers.</source>
        <translation>一次摘要覆盖多少条消息。</translation>
    </message>
    <message>
        <source>Newest floors left alone</source>
        <translation>保留的最新楼层</translation>
    </message>
    <message>
        <source>They may still be rerolled or edited.</source>
        <translation>它们可能还会被重骰或编辑。</translation>
    </message>
    <message>
        <source>Buffer: events</source>
        <translation>缓冲：事件数</translation>
    </message>
    <message>
        <source>Consolidate when this many events wait; 0 is never.</source>
        <translation>等待的事件达到此数时整理；0 为从不。</translation>
    </message>
    <message>
        <source>Buffer: tokens</source>
        <translation>缓冲：tokens</translation>
    </message>
    <message>
        <source>Consolidate when the waiting events cost so much; 0 is never.</source>
        <translation>等待的事件达到此用量时整理；0 为从不。</translation>
    </message>
    <message>
        <source>Limit of always-visible text (tokens)</source>
        <translation>常驻文本上限 (tokens)</translation>
    </message>
    <message>
        <source>Above it, old events are merged into outlines.</source>
        <translation>超过时，旧事件会合并成大纲。</translation>
    </message>
    <message>
        <source>Newest events in full</source>
        <translation>完整讲述的最新事件数</translation>
    </message>
    <message>
        <source>Automatic consolidation leaves this many in the buffer; the story so far gives them in full.</source>
        <translation>自动整理会把这么多条留在缓冲区；“前情提要”会完整讲述它们。</translation>
    </message>
    <message>
        <source>Outlines are written</source>
        <translation>大纲由谁来写</translation>
    </message>
    <message>
        <source>auto: by the model, if one is set up, one request for about ten events; extractive: by choosing sentences, without a request.</source>
        <translation>auto：已设置模型时由模型写，约十条事件一次请求；extractive：挑选句子，不发请求。</translation>
    </message>
    <message>
        <source>Memory mode</source>
        <translation>记忆模式</translation>
    </message>
    <message>
        <source>off: nothing is summarised or injected.</source>
        <translation>关闭：不摘要也不注入。</translation>
    </message>
    <message>
        <source>As messages arrive. With a model, a backlog of more than three blocks is never started without asking first.</source>
        <translation>新消息到来时进行。使用模型时，积压超过三段从不擅自开始，总会先问。</translation>
    </message>
    <message>
        <source>One that was open when the program was closed is looked back on when its chat is shown again, if it has been silent for so long.</source>
        <translation>关闭程序时还没结束的会话，静默够久后，下次打开那个聊天时回顾。</translation>
    </message>
    <message>
        <source>Who the player is</source>
        <translation>玩家是谁</translation>
    </message>
    <message>
        <source>What {{persona}} says, and what world books may look through.</source>
        <translation>{{persona}} 的内容，世界书也可以在其中查找关键词。</translation>
    </message>
    <message>
        <source>World book of the player</source>
        <translation>玩家的世界书</translation>
    </message>
    <message>
        <source>Name of a world book that is on in this chat, as a persona&apos;s book is.</source>
        <translation>在本聊天中启用的世界书名称，相当于酒馆的人设世界书。</translation>
    </message>
    <message>
        <source>Who the player is stands among the messages</source>
        <translation>玩家设定插入在消息之间</translation>
    </message>
    <message>
        <source>World books look through it then, as SillyTavern&apos;s do.</source>
        <translation>这样世界书会扫描它，与 SillyTavern 相同。</translation>
    </message>
    <message>
        <source>If it is unclear who was there</source>
        <translation>无法判断谁在场时</translation>
    </message>
    <message>
        <source>Who then knows what was said: only those who speak there, or nobody. Never everybody.</source>
        <translation>那么谁知道所说的话：只有说话的人，或无人。绝不会是所有人。</translation>
    </message>
    <message>
        <source>Run SillyTavern&apos;s regex scripts</source>
        <translation>运行酒馆的正则脚本</translation>
    </message>
    <message>
        <source>On what a model reads, before the program&apos;s own rules.</source>
        <translation>作用于模型读到的内容，先于程序自己的规则。</translation>
    </message>
    <message>
        <source>Run EJS programs</source>
        <translation>运行 EJS 程序</translation>
    </message>
    <message>
        <source>In messages, world books and your own prompts, text between &lt;% and %&gt; is run as a small program, which can read the chat, world books and cards, and changes nothing.</source>
        <translation>消息、世界书和自己的提示词中，&lt;% 与 %&gt; 之间的文字会作为小程序运行；它可以读取本聊天、世界书和角色卡，但不会改动任何东西。</translation>
    </message>
    <message>
        <source>Leave out thoughts</source>
        <translation>去掉思考</translation>
    </message>
    <message>
        <source>&lt;think&gt; and its like.</source>
        <translation>&lt;think&gt; 等标签。</translation>
    </message>
    <message>
        <source>Leave out updates of variables</source>
        <translation>去掉变量更新</translation>
    </message>
    <message>
        <source>&lt;UpdateVariable&gt;, &lt;state_update&gt;, table edits and their like.</source>
        <translation>&lt;UpdateVariable&gt;、&lt;state_update&gt;、表格编辑等。</translation>
    </message>
    <message>
        <source>Leave out status panels</source>
        <translation>去掉状态栏</translation>
    </message>
    <message>
        <source>Status bars, folded details, tables, choices, scripts and styles.</source>
        <translation>状态栏、折叠内容、表格、选项、脚本和样式。</translation>
    </message>
    <message>
        <source>Leave out disclaimers</source>
        <translation>去掉免责声明</translation>
    </message>
    <message>
        <source>&lt;disclaimer&gt;, whole lines such as (OOC: …), and a last line in brackets that calls it all fiction.</source>
        <translation>&lt;disclaimer&gt; 标签、整行的（OOC：…），以及结尾处整行括起来的“以上内容纯属虚构”之类。</translation>
    </message>
    <message>
        <source>Leave out HTML comments</source>
        <translation>去掉 HTML 注释</translation>
    </message>
    <message>
        <source>Leave out code blocks</source>
        <translation>去掉代码块</translation>
    </message>
    <message>
        <source>Those fenced as HTML, JSON, YAML, CSS or JavaScript.</source>
        <translation>标为 HTML、JSON、YAML、CSS 或 JavaScript 的代码块。</translation>
    </message>
    <message>
        <source>Take away tags</source>
        <translation>去掉标签</translation>
    </message>
    <message>
        <source>What stands between them stays.</source>
        <translation>标签之间的文字保留。</translation>
    </message>
    <message>
        <source>Take away Markdown</source>
        <translation>去掉 Markdown</translation>
    </message>
    <message>
        <source>Links, headings, rules and bold; *actions* stay.</source>
        <translation>链接、标题、分隔线与加粗；*动作* 保留。</translation>
    </message>
    <message>
        <source>New entities per message, at most</source>
        <translation>每条消息最多新增实体</translation>
    </message>
    <message>
        <source>Keeps a bad answer from flooding the graph; known entities are free.</source>
        <translation>防止一次糟糕的回答灌满图谱；已知的实体不计。</translation>
    </message>
    <message>
        <source>New relations per message, at most</source>
        <translation>每条消息最多新增关系</translation>
    </message>
    <message>
        <source>As above, for the edges between entities.</source>
        <translation>同上，指实体之间的连线。</translation>
    </message>
    <message>
        <source>Floors per update of profiles</source>
        <translation>每隔多少楼更新档案</translation>
    </message>
    <message>
        <source>How often a model is asked what is new about entities; 0 is never.</source>
        <translation>每隔多少楼请模型补充实体档案；0 为从不。</translation>
    </message>
    <message>
        <source>Profiles from the messages too</source>
        <translation>档案也读取消息原文</translation>
    </message>
    <message>
        <source>An update of profiles reads the messages themselves, not only the events made of them: looks and habits that no event mentions, for about as many tokens as the messages have.</source>
        <translation>更新档案时不仅读事件，也读消息原文：能记下事件里没有的外貌与习惯，代价约为这些消息本身的 token 数。</translation>
    </message>
    <message>
        <source>Summarise, consolidate and trim automatically</source>
        <translation>自动摘要、整理与精简</translation>
    </message>
    <message>
        <source>Look back on a session by itself</source>
        <translation>自动回顾会话</translation>
    </message>
    <message>
        <source>With a model: when the buffer is full and when a session is over, events that were missed and what each character keeps to itself are noted, one request for each character and block. It is announced and can be undone.</source>
        <translation>有模型时：缓冲区满了、或一次会话结束后，补记遗漏的事件和每个角色的心声，每个角色每一块一次请求。做了什么会告知，并可撤销。</translation>
    </message>
    <message>
        <source>A session is over after minutes of silence</source>
        <translation>安静多少分钟算会话结束</translation>
    </message>
    <message>
        <source>Review before saving</source>
        <translation>保存前先审阅</translation>
    </message>
    <message>
        <source>What a model wrote waits until you have looked through it.</source>
        <translation>模型写出的内容先等你看过再保存。</translation>
    </message>
    <message>
        <source>Memories per recall</source>
        <translation>每次召回的条数</translation>
    </message>
    <message>
        <source>Let the model reword questions</source>
        <translation>让模型改写问题</translation>
    </message>
    <message>
        <source>Before a recall for a prompt, the chat model says what “her” and “that thing” mean. One short request each time.</source>
        <translation>为提示词召回之前，先由聊天模型说清“她”“那件事”指什么。每次一个简短的请求。</translation>
    </message>
    <message>
        <source>Prefer what is recent</source>
        <translation>偏向新近的记忆</translation>
    </message>
    <message>
        <source>The newest memories gain so much of their score; the oldest lose it.</source>
        <translation>最新的记忆按此比例加分，最旧的按此比例减分。</translation>
    </message>
    <message>
        <source>Injection budget (tokens)</source>
        <translation>注入预算 (tokens)</translation>
    </message>
    <message>
        <source>Always-visible text and recalled memories together.</source>
        <translation>常驻内容与召回的记忆合计。</translation>
    </message>
    <message>
        <source>Inject only what is at least</source>
        <translation>只注入可信度不低于</translation>
    </message>
    <message>
        <source>imported: everything; then extracted, said by a model, confirmed by you.</source>
        <translation>imported：全部；往上依次是抽取而来、模型所说、你已确认。</translation>
    </message>
    <message>
        <source>Inject what hardly fits too</source>
        <translation>关系不大的也注入</translation>
    </message>
    <message>
        <source>Off, nothing is recalled into a prompt for greetings, noise, and questions that the chat has no answer to.</source>
        <translation>关闭时，遇到问候、杂音以及本聊天无从回答的问题，不向提示词注入召回内容。</translation>
    </message>
    <message>
        <source>Injection: how memories are worded</source>
        <translation>注入：记忆的讲法</translation>
    </message>
    <message>
        <source>plain: what was said, when and by whom. attributed: how long ago, and who said it. light: the model is asked to let it colour the reply and to recite nothing.</source>
        <translation>plain：何时、谁、说了什么。attributed：多久以前、谁说的。light：请模型让记忆自然影响回复，不要复述。</translation>
    </message>
    <message>
        <source>Let memories rest that were just used</source>
        <translation>刚用过的记忆轮休</translation>
    </message>
    <message>
        <source>What stood in the prompts of the last three replies yields to other memories, unless the question asks for it.</source>
        <translation>最近三次回复的提示词里出现过的记忆让位给别的记忆，除非问题正需要它。</translation>
    </message>
    <message>
        <source>This many of the newest messages are in the prompt anyway and are not repeated, if nothing says which are. The memory server, the companion and play always know.</source>
        <translation>没有说明时，视最新的这么多条消息本来就在提示词里，不再重复。记忆服务器、配套扩展和对话页总是知道。</translation>
    </message>
    <message>
        <source>Floors the chat still sends</source>
        <translation>聊天仍会发送的楼层</translation>
    </message>
    <message>
        <source>Injection: order</source>
        <translation>注入：顺序</translation>
    </message>
    <message>
        <source>stable: what was recalled follows what is always visible, so that prompt caches stay good. story: both in one line of story order.</source>
        <translation>stable：召回的内容排在常驻内容之后，提示词缓存不会失效。story：两者按剧情先后排在一起。</translation>
    </message>
    <message>
        <source>Ask first how much memory a message needs</source>
        <translation>先判断这句话需要多少记忆</translation>
    </message>
    <message>
        <source>One short request each time. A greeting gets only what is always visible, talk the usual, a turning point world books too.</source>
        <translation>每次多一个简短的请求。问候只给常驻内容，闲谈照常召回，关键剧情再加世界书。</translation>
    </message>
    <message>
        <source>Vector index</source>
        <translation>向量索引</translation>
    </message>
    <message>
        <source>auto: exact search while the chat is small or the index is behind.</source>
        <translation>自动：聊天较小或索引落后时用精确检索。</translation>
    </message>
    <message>
        <source>Chroma server</source>
        <translation>Chroma 服务器</translation>
    </message>
    <message>
        <source>Chat endpoint: base URL</source>
        <translation>语言模型接口地址</translation>
    </message>
    <message>
        <source>For example https://host/v1. Empty: no model is asked.</source>
        <translation>例如 https://host/v1。留空则不调用模型。</translation>
    </message>
    <message>
        <source>Chat endpoint: model</source>
        <translation>语言模型名称</translation>
    </message>
    <message>
        <source>Chat endpoint: time-out (s)</source>
        <translation>语言模型超时（秒）</translation>
    </message>
    <message>
        <source>Raise it for a model on this computer that takes long to answer.</source>
        <translation>本机模型回答很慢时，可以调大。</translation>
    </message>
    <message>
        <source>Chat endpoint: requests at once</source>
        <translation>语言模型并发请求数</translation>
    </message>
    <message>
        <source>More is quicker, unless the server refuses some or answers one by one.</source>
        <translation>越多越快，除非服务器会拒绝一部分，或逐个回答。</translation>
    </message>
    <message>
        <source>Most tokens a day</source>
        <translation>每日 token 上限</translation>
    </message>
    <message>
        <source>No request is started that would exceed it; 0 is no limit.</source>
        <translation>会超过上限的请求不会发出；0 为不限。</translation>
    </message>
    <message>
        <source>Price of a million prompt tokens</source>
        <translation>每百万输入 token 的价格</translation>
    </message>
    <message>
        <source>0: unknown, no cost is shown.</source>
        <translation>0：未知，不显示费用。</translation>
    </message>
    <message>
        <source>Price of a million answer tokens</source>
        <translation>每百万输出 token 的价格</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>货币</translation>
    </message>
    <message>
        <source>Shown beside costs.</source>
        <translation>显示在费用旁。</translation>
    </message>
    <message>
        <source>Embedding endpoint: base URL</source>
        <translation>嵌入接口地址</translation>
    </message>
    <message>
        <source>Empty: the built-in embedder runs on this computer.</source>
        <translation>留空则在本机运行内置嵌入器。</translation>
    </message>
    <message>
        <source>Embedding endpoint: model</source>
        <translation>嵌入模型名称</translation>
    </message>
    <message>
        <source>Built-in embedder</source>
        <translation>内置嵌入器</translation>
    </message>
    <message>
        <source>Used without an endpoint. Hashes need less memory and find the same letters only, not the same meaning. After a change all memories get new vectors.</source>
        <translation>没有填接口时使用。字符哈希占用内存少，但只能找到相同的字，找不到相同的意思。更改后，所有记忆会重新生成向量。</translation>
    </message>
    <message>
        <source>Rerank endpoint: base URL</source>
        <translation>重排接口地址</translation>
    </message>
    <message>
        <source>Rerank endpoint: model</source>
        <translation>重排模型名称</translation>
    </message>
    <message>
        <source>apart: the story so far after the system prompt, what is recalled before the last message, so that a model&apos;s server need not read the chat between them again. system: all after the system prompt. depth: so many messages before the end. last: before the last message. A placeholder {{engramSummaries}} in the prompt wins.</source>
        <translation>apart：此前剧情放在系统提示词之后，召回的内容放在最后一条消息之前，中间的聊天模型服务不必重读（提示缓存有效）。system：全部放在系统提示词之后。depth：放在距末尾若干条消息处。last：放在最后一条消息之前。提示词里的占位符 {{engramSummaries}} 优先。</translation>
    </message>
    <message>
        <source>Memory server: context of the model (tokens)</source>
        <translation>记忆服务器：模型的上下文（token）</translation>
    </message>
    <message>
        <source>What a request, its reply and memory may take together. Where it is full, the oldest messages that memory tells already are left out, and memory is shortened. 0: as the model&apos;s server says when it refuses a request.</source>
        <translation>请求、回复和记忆一共可用的长度。满了的时候，记忆已经讲过的最早消息不再发送，记忆也会缩短。0：以模型服务拒绝请求时说的为准。</translation>
    </message>
    <message>
        <source>SillyTavern folder</source>
        <translation>SillyTavern 文件夹</translation>
    </message>
    <message>
        <source>Its own folder, or “data” inside of it. It is only read.</source>
        <translation>SillyTavern 的安装文件夹，或其中的“data”。只读取，不改动。</translation>
    </message>
    <message>
        <source>Follow chats in it</source>
        <translation>跟随其中的聊天</translation>
    </message>
    <message>
        <source>chosen: those you ticked, and their branches. all: every chat, new ones too. off: none.</source>
        <translation>chosen：勾选的聊天及其分支；all：所有聊天，包括新建的；off：不跟随。</translation>
    </message>
    <message>
        <source>Scan world books as SillyTavern does</source>
        <translation>按 SillyTavern 的方式扫描世界书</translation>
    </message>
    <message>
        <source>Its depth, budget and other rules are taken along with the folder and when they change there. A rule you set here yourself stays.</source>
        <translation>扫描深度、预算等规则随文件夹一起带来，那边改了这里也跟着改。你在这里亲自设过的规则不会被改。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Event cards</source>
        <translation>事件卡片</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>动画</translation>
    </message>
    <message>
        <source>What opens and closes is seen to move, for a seventh of a second.</source>
        <translation>展开与收起时有约七分之一秒的过渡动画。</translation>
    </message>
    <message>
        <source>Order of events</source>
        <translation>事件的排列顺序</translation>
    </message>
    <message>
        <source>Order of events turned round</source>
        <translation>事件反向排序</translation>
    </message>
    <message>
        <source>Order of world book entries</source>
        <translation>世界书条目的排序</translation>
    </message>
    <message>
        <source>Zoom in percent</source>
        <translation>缩放（百分比）</translation>
    </message>
    <message>
        <source>Times the scale of the screen. From the next start on.</source>
        <translation>在屏幕缩放之上再乘以此值，下次启动起生效。</translation>
    </message>
    <message>
        <source>Notify when a long task ends while the window is away</source>
        <translation>窗口不在前台时，长任务结束后通知我</translation>
    </message>
    <message>
        <source>After more than ten seconds, by a notification of the system: the name of the task and how it ended, nothing of a chat.</source>
        <translation>超过十秒的任务结束时发系统通知：只有任务名和结果，不含任何聊天内容。</translation>
    </message>
    <message>
        <source>Card template</source>
        <translation>卡片模板</translation>
    </message>
    <message>
        <source>How an event reads; empty is the built-in card.</source>
        <translation>事件如何呈现；留空使用内置卡片。</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>For everything that is asked over the network; servers on this computer are always asked directly. The system&apos;s is that of HTTPS_PROXY, ALL_PROXY or its own settings.</source>
        <translation>用于所有网络请求；本机的服务器总是直接连接。“跟随系统”取 HTTPS_PROXY、ALL_PROXY 或系统设置里的代理。</translation>
    </message>
    <message>
        <source>Address of the proxy</source>
        <translation>代理地址</translation>
    </message>
    <message>
        <source>For example http://127.0.0.1:7890</source>
        <translation>例如 http://127.0.0.1:7890</translation>
    </message>
    <message>
        <source>API keys are kept in</source>
        <translation>API 密钥保存在</translation>
    </message>
    <message>
        <source>Seconds that a program waits for another one that writes</source>
        <translation>等待另一个正在写入的程序的秒数</translation>
    </message>
    <message>
        <source>The window, the command line, the memory server and MCP; then they say which program holds the library. 0 does not wait.</source>
        <translation>适用于窗口、命令行、记忆服务器和 MCP；超时后会说明是哪个程序占用着资料库。填 0 则不等待。</translation>
    </message>
    <message>
        <source>Hours between automatic backups</source>
        <translation>自动备份间隔（小时）</translation>
    </message>
    <message>
        <source>Kept: all of two days, then one a day, then one a month. 0 is never.</source>
        <translation>保留两天内的全部备份，其后每天一份，再后每月一份；0 为从不。</translation>
    </message>
    <message>
        <source>Undo steps kept, for each chat and for the library</source>
        <translation>保留的撤销步数（每个聊天和资料库各自计算）</translation>
    </message>
    <message>
        <source>Messages scanned</source>
        <translation>扫描的消息数</translation>
    </message>
    <message>
        <source>How many of the last messages are searched for keywords.</source>
        <translation>在最近多少条消息中查找关键词。</translation>
    </message>
    <message>
        <source>Context of the chat model, in tokens</source>
        <translation>聊天模型的上下文长度（token）</translation>
    </message>
    <message>
        <source>Share of the context, in percent</source>
        <translation>占上下文的百分比</translation>
    </message>
    <message>
        <source>Tokens at most</source>
        <translation>token 上限</translation>
    </message>
    <message>
        <source>0 leaves it to the share of the context.</source>
        <translation>0 表示只按上下文的百分比。</translation>
    </message>
    <message>
        <source>Entries can mention other entries</source>
        <translation>条目可以触发其他条目（递归）</translation>
    </message>
    <message>
        <source>Rounds of scanning at most</source>
        <translation>扫描轮数上限</translation>
    </message>
    <message>
        <source>0 goes on until nothing new is mentioned.</source>
        <translation>0 表示一直到没有新条目被提到。</translation>
    </message>
    <message>
        <source>Entries wanted at least</source>
        <translation>最少触发条目数</translation>
    </message>
    <message>
        <source>Older messages are scanned until this many entries fire. 0: none are.</source>
        <translation>不足时继续扫描更早的消息，直到触发这么多条目。0 表示不扩展。</translation>
    </message>
    <message>
        <source>Most messages scanned for them</source>
        <translation>最多回看消息数</translation>
    </message>
    <message>
        <source>How far back entries wanted at least are looked for. 0 is the whole chat.</source>
        <translation>为凑够最少条目数最多回看多少条消息。0 表示整个聊天。</translation>
    </message>
    <message>
        <source>Names of speakers are scanned</source>
        <translation>扫描时包含发言者名字</translation>
    </message>
    <message>
        <source>Which books go first</source>
        <translation>世界书优先级</translation>
    </message>
    <message>
        <source>The chat&apos;s and the player&apos;s books always do. After them, character: theirs; global: the others; evenly: both by the order of their entries.</source>
        <translation>聊天与玩家的世界书总是最先。其后，character：角色优先；global：全局优先；evenly：两者按条目顺序混排。</translation>
    </message>
    <message>
        <source>Case-sensitive</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Whole words only</source>
        <translation>全词匹配</translation>
    </message>
    <message>
        <source>Chinese keywords are found in any place all the same.</source>
        <translation>中文关键词仍可在任意位置匹配。</translation>
    </message>
    <message>
        <source>In a group, the entry with most keywords wins</source>
        <translation>同组中命中关键词最多的条目优先</translation>
    </message>
    <message>
        <source>Author&apos;s notes are scanned</source>
        <translation>扫描作者注释</translation>
    </message>
    <message>
        <source>The chat&apos;s, and the one a character has.</source>
        <translation>包括聊天的作者注释和角色自带的注释。</translation>
    </message>
    <message>
        <source>Summaries of SillyTavern are scanned</source>
        <translation>扫描 SillyTavern 的总结</translation>
    </message>
    <message>
        <source>Entries fire by meaning</source>
        <translation>条目按语义触发</translation>
    </message>
    <message>
        <source>Those that are marked for it. SillyTavern does so where Vector Storage is on for world info.</source>
        <translation>指标为向量的条目。SillyTavern 只在对世界书启用 Vector Storage 时才这样做。</translation>
    </message>
    <message>
        <source>All entries fire by meaning, marked or not</source>
        <translation>所有条目都按语义触发，不论是否标为向量</translation>
    </message>
    <message>
        <source>Entries that fire by meaning at most</source>
        <translation>按语义触发的条目数上限</translation>
    </message>
    <message>
        <source>Messages that meaning is taken from</source>
        <translation>判断语义所用的最近消息数</translation>
    </message>
    <message>
        <source>Ask for newer versions</source>
        <translation>询问新版本</translation>
    </message>
    <message>
        <source>Once a day, some time after the program has started. Nothing of yours is sent, and nothing is installed by itself.</source>
        <translation>每天一次，在程序启动片刻之后。不发送您的任何内容，也不会自动安装。</translation>
    </message>
    <message>
        <source>Address asked for newer versions</source>
        <translation>询问新版本的地址</translation>
    </message>
    <message>
        <source>Empty: the address this copy was built with; “About” shows it.</source>
        <translation>留空：使用此程序自带的地址，可在“关于”中看到。</translation>
    </message>
    <message>
        <source>Play: who says what a turn is</source>
        <translation>对话：由谁判断一轮的等级</translation>
    </message>
    <message>
        <source>Address of a Chroma server (http:// or https://); empty: on this computer.</source>
        <translation>Chroma 服务器的地址（http:// 或 https://）；留空则在本机。</translation>
    </message>
    <message>
        <source>rules: at once, without a request. model: one short request before each reply; where it fails, rules.</source>
        <translation>rules：立即判断，不发请求。model：每次回复前发一个短请求；失败时用规则。</translation>
    </message>
    <message>
        <source>Play: how a reply changes the state</source>
        <translation>对话：回复如何改变状态</translation>
    </message>
    <message>
        <source>tools: by calling functions. tags: by marks in its text. auto: tools, and tags where the endpoint takes none.</source>
        <translation>tools：调用函数。tags：用文字里的标记。auto：先用函数，服务器不支持时用标记。</translation>
    </message>
    <message>
        <source>Play: history in the prompt (tokens)</source>
        <translation>对话：提示词里的历史（token）</translation>
    </message>
    <message>
        <source>The newest messages that fit; what is older comes back by recall.</source>
        <translation>放得下的最新消息；更早的靠召回。</translation>
    </message>
    <message>
        <source>Start the memory server with the program</source>
        <translation>随程序启动记忆服务器</translation>
    </message>
    <message>
        <source>Other programs on this computer can then be given memory.</source>
        <translation>这样本机的其他程序就能得到记忆。</translation>
    </message>
    <message>
        <source>Memory server: port</source>
        <translation>记忆服务器：端口</translation>
    </message>
    <message>
        <source>0 takes a free one each time.</source>
        <translation>0 表示每次取一个空闲端口。</translation>
    </message>
    <message>
        <source>Memory server: open to the network</source>
        <translation>记忆服务器：对局域网开放</translation>
    </message>
    <message>
        <source>Other machines of your network can reach it, a phone for instance. Anyone with the key can then read your memories and use your endpoint; what is sent is not encrypted.</source>
        <translation>局域网里的其他设备（比如手机）可以连接。拿到密钥的人就能读你的记忆、用你的接口；传输内容不加密。</translation>
    </message>
    <message>
        <source>Memory server: time for memory (ms)</source>
        <translation>记忆服务器：留给记忆的时间（毫秒）</translation>
    </message>
    <message>
        <source>A request that would wait longer goes on without memory.</source>
        <translation>超过这个时间，请求就不带记忆继续。</translation>
    </message>
    <message>
        <source>Memory server: where memory stands</source>
        <translation>记忆服务器：记忆放在哪里</translation>
    </message>
    <message>
        <source>Memory server: messages between memory and the end</source>
        <translation>记忆服务器：记忆与末尾之间的消息数</translation>
    </message>
    <message>
        <source>Where memory stands at a depth.</source>
        <translation>记忆放在 depth 时使用。</translation>
    </message>
    <message>
        <source>Memory server: keep what is said</source>
        <translation>记忆服务器：保存说过的话</translation>
    </message>
    <message>
        <source>A chat that comes through the server becomes a chat of the library. One that is followed in a SillyTavern folder is left to its file.</source>
        <translation>经过服务器的聊天会成为资料库里的聊天。已在 SillyTavern 文件夹里跟随的，仍以它的文件为准。</translation>
    </message>
    <message>
        <source>Memory server: newest floors sent word for word</source>
        <translation>记忆服务器：逐字发送的最新楼层数</translation>
    </message>
    <message>
        <source>Older messages that memory already covers are left out of the request. 0: none.</source>
        <translation>更早的、记忆里已经讲到的楼层不再发送。0 表示全部发送。</translation>
    </message>
    <message>
        <source>Memory server: further endpoints</source>
        <translation>记忆服务器：更多接口</translation>
    </message>
    <message>
        <source>One a line: name = base URL, and the beginnings of the model names it is asked for. “name/model” asks it for any model. All else goes to the chat endpoint.</source>
        <translation>每行一个：名字 = 地址，后面可加由它负责的模型名的开头。写“名字/模型”可向它要任何模型。其余都发到聊天接口。</translation>
    </message>
    <message>
        <source>Memory server: web pages that may use it</source>
        <translation>记忆服务器：可以使用它的网页</translation>
    </message>
    <message>
        <source>One a line, as https://example.org. Pages of this computer may; programs that are no page are not asked. The key is needed in any case.</source>
        <translation>每行一个，如 https://example.org。本机的网页都可以；不是网页的程序不受此限。无论如何都需要密钥。</translation>
    </message>
    <message>
        <source>MCP: allow tools that write</source>
        <translation>MCP：允许会写入的工具</translation>
    </message>
    <message>
        <source>Note an event, set a state. Each is a step that can be undone.</source>
        <translation>记下事件、设置状态。每一步都可以撤销。</translation>
    </message>
</context>
<context>
    <name>steps</name>
    <message>
        <source>Archive {count} events</source>
        <translation>归档 {count} 条</translation>
    </message>
    <message>
        <source>Make {count} events always visible</source>
        <translation>将 {count} 条设为常驻</translation>
    </message>
    <message>
        <source>Lock {count} events</source>
        <translation>锁定 {count} 条</translation>
    </message>
    <message>
        <source>Unlock {count} events</source>
        <translation>解锁 {count} 条</translation>
    </message>
    <message>
        <source>Delete {count} events</source>
        <translation>删除 {count} 条</translation>
    </message>
    <message>
        <source>Bring back {count} events</source>
        <translation>恢复 {count} 条已删除的事件</translation>
    </message>
    <message>
        <source>Edit “{summary}”</source>
        <translation>编辑“{summary}”</translation>
    </message>
    <message>
        <source>Edit {count} events</source>
        <translation>编辑 {count} 条事件</translation>
    </message>
    <message>
        <source>Replace “{find}” in {count} events</source>
        <translation>在 {count} 条事件中替换“{find}”</translation>
    </message>
    <message>
        <source>Join {count} events into one</source>
        <translation>把 {count} 条事件合并为一条</translation>
    </message>
    <message>
        <source>Split “{summary}” at floor {floor}</source>
        <translation>在 {floor} 楼拆分“{summary}”</translation>
    </message>
    <message>
        <source>Keep {count} similar events apart</source>
        <translation>让 {count} 条相似事件各自保留</translation>
    </message>
    <message>
        <source>Add “{summary}”</source>
        <translation>添加“{summary}”</translation>
    </message>
    <message>
        <source>Confirm {count} events</source>
        <translation>确认 {count} 条事件</translation>
    </message>
    <message>
        <source>No longer confirm {count} events</source>
        <translation>不再确认 {count} 条事件</translation>
    </message>
    <message>
        <source>Summarise floors {first}–{last}</source>
        <translation>摘要 {first}–{last} 楼</translation>
    </message>
    <message>
        <source>Consolidate {count} events</source>
        <translation>整理 {count} 条</translation>
    </message>
    <message>
        <source>Trim {count} events into outlines</source>
        <translation>将 {count} 条精简为大纲</translation>
    </message>
    <message>
        <source>Take outlines apart that are no longer true</source>
        <translation>拆开不再属实的大纲</translation>
    </message>
    <message>
        <source>Take an outline of {count} events apart</source>
        <translation>拆开 {count} 条合成的大纲</translation>
    </message>
    <message>
        <source>Edit {name}</source>
        <translation>编辑 {name}</translation>
    </message>
    <message>
        <source>Merge {names} into {target}</source>
        <translation>将 {names} 并入 {target}</translation>
    </message>
    <message>
        <source>Keep {one} and {other} apart</source>
        <translation>“{one}”与“{other}”不是同一个</translation>
    </message>
    <message>
        <source>Look for duplicates among {count} entities</source>
        <translation>在 {count} 个实体中查找重复</translation>
    </message>
    <message>
        <source>Hide {name} from the graph</source>
        <translation>在图谱中隐藏“{name}”</translation>
    </message>
    <message>
        <source>Show {name} in the graph again</source>
        <translation>在图谱中重新显示“{name}”</translation>
    </message>
    <message>
        <source>Update the profiles of {count} entities</source>
        <translation>更新 {count} 个实体的档案</translation>
    </message>
    <message>
        <source>Look back on floors {first}–{last}</source>
        <translation>回顾第 {first}–{last} 楼</translation>
    </message>
    <message>
        <source>Add the relation “{fact}”</source>
        <translation>添加关系“{fact}”</translation>
    </message>
    <message>
        <source>Reword the relation “{fact}”</source>
        <translation>改写关系“{fact}”</translation>
    </message>
    <message>
        <source>Say when “{fact}” was true</source>
        <translation>设定“{fact}”的有效期</translation>
    </message>
    <message>
        <source>Delete the relation “{fact}”</source>
        <translation>删除关系“{fact}”</translation>
    </message>
    <message>
        <source>Move {name} in the graph</source>
        <translation>在图谱中移动 {name}</translation>
    </message>
    <message>
        <source>Lay out {count} entities again</source>
        <translation>重新排布 {count} 个实体</translation>
    </message>
    <message>
        <source>Split {name} from {target}</source>
        <translation>从 {target} 拆出 {name}</translation>
    </message>
    <message>
        <source>Add a private log of {name}</source>
        <translation>添加 {name} 的私有日志</translation>
    </message>
    <message>
        <source>Edit a private log of {name}</source>
        <translation>编辑 {name} 的私有日志</translation>
    </message>
    <message>
        <source>Delete {count} private logs</source>
        <translation>删除 {count} 条私有日志</translation>
    </message>
    <message>
        <source>Answer a finding: {answer}</source>
        <translation>答复一条发现：{answer}</translation>
    </message>
    <message>
        <source>Note the thread “{text}”</source>
        <translation>记下伏笔“{text}”</translation>
    </message>
    <message>
        <source>Forget {count} noted threads</source>
        <translation>取消 {count} 个伏笔</translation>
    </message>
    <message>
        <source>Add {name} to the graph</source>
        <translation>把 {name} 加入图谱</translation>
    </message>
    <message>
        <source>Put away in the inbox: {text}</source>
        <translation>在待办中收起：{text}</translation>
    </message>
    <message>
        <source>Put off in the inbox: {text}</source>
        <translation>在待办中推迟：{text}</translation>
    </message>
    <message>
        <source>Set the state {path}</source>
        <translation>设定状态：{path}</translation>
    </message>
    <message>
        <source>Remove the state {path}</source>
        <translation>删除状态：{path}</translation>
    </message>
    <message>
        <source>Say floor {floor}</source>
        <translation>说第 {floor} 楼</translation>
    </message>
    <message>
        <source>Reply of {name} on floor {floor}</source>
        <translation>{name}在第 {floor} 楼的回复</translation>
    </message>
    <message>
        <source>Another reply of {name} on floor {floor}</source>
        <translation>{name}在第 {floor} 楼的另一条回复</translation>
    </message>
    <message>
        <source>Go on with floor {floor}</source>
        <translation>继续写第 {floor} 楼</translation>
    </message>
    <message>
        <source>Choose reading {number} of floor {floor}</source>
        <translation>选第 {floor} 楼的第 {number} 个版本</translation>
    </message>
    <message>
        <source>Correct what floor {floor} left</source>
        <translation>更正第 {floor} 楼留下的</translation>
    </message>
    <message>
        <source>Save a question of the lab: {query}</source>
        <translation>保存实验室的问题：{query}</translation>
    </message>
    <message>
        <source>Delete a question of the lab: {query}</source>
        <translation>删除实验室的问题：{query}</translation>
    </message>
    <message>
        <source>Say what {name} knows of {count} memories</source>
        <translation>更正{name}对 {count} 条记忆的了解</translation>
    </message>
    <message>
        <source>Say who was there on {count} floors</source>
        <translation>更正 {count} 楼的在场者</translation>
    </message>
    <message>
        <source>Say when {name} is of {group}</source>
        <translation>指明{name}何时属于{group}</translation>
    </message>
    <message>
        <source>Say who was there or knows it: {count} cells</source>
        <translation>指定谁在场或知情：{count} 格</translation>
    </message>
    <message>
        <source>Say who must not learn {count} memories</source>
        <translation>记下 {count} 条记忆不能让谁知道</translation>
    </message>
    <message>
        <source>Write a private note on “{what}”</source>
        <translation>为“{what}”写私人备注</translation>
    </message>
    <message>
        <source>Delete the private note on “{what}”</source>
        <translation>删除“{what}”的私人备注</translation>
    </message>
    <message>
        <source>Do not use again: {what}</source>
        <translation>不要再用：{what}</translation>
    </message>
    <message>
        <source>Allow again: {what}</source>
        <translation>重新允许：{what}</translation>
    </message>
    <message>
        <source>Import {count} messages</source>
        <translation>导入 {count} 条消息</translation>
    </message>
    <message>
        <source>Take over {count} memories of other tools</source>
        <translation>接收其他工具留下的 {count} 条记忆</translation>
    </message>
    <message>
        <source>Follow the file: {changed} changed, {removed} removed, {added} added</source>
        <translation>跟随文件：改动 {changed} 条，删去 {removed} 条，新增 {added} 条</translation>
    </message>
    <message>
        <source>Keep what a front end shows from floor {floor} on</source>
        <translation>按前端所示保存第 {floor} 楼起的内容</translation>
    </message>
    <message>
        <source>Keep the reply of {name} on floor {floor}</source>
        <translation>保存 {name} 在第 {floor} 楼的回复</translation>
    </message>
    <message>
        <source>Add floor {floor}</source>
        <translation>添加第 {floor} 楼</translation>
    </message>
    <message>
        <source>Edit floor {floor}</source>
        <translation>编辑第 {floor} 楼</translation>
    </message>
    <message>
        <source>Delete {count} messages</source>
        <translation>删除 {count} 条消息</translation>
    </message>
    <message>
        <source>Hide {count} messages</source>
        <translation>隐藏 {count} 条消息</translation>
    </message>
    <message>
        <source>Show {count} messages</source>
        <translation>取消隐藏 {count} 条消息</translation>
    </message>
    <message>
        <source>Save {count} reviewed blocks</source>
        <translation>保存 {count} 个已审阅的区块</translation>
    </message>
    <message>
        <source>Discard {count} drafts</source>
        <translation>丢弃 {count} 份草稿</translation>
    </message>
    <message>
        <source>Take the new summary of floors {first}–{last}</source>
        <translation>采用第 {first}–{last} 楼的新摘要</translation>
    </message>
    <message>
        <source>Begin automatic summaries at floor {floor}</source>
        <translation>从第 {floor} 楼起自动摘要</translation>
    </message>
    <message>
        <source>Note that entities are up to date to floor {floor}</source>
        <translation>实体已更新至第 {floor} 楼</translation>
    </message>
    <message>
        <source>Summarise {count} stale ranges again</source>
        <translation>重新摘要 {count} 段过期内容</translation>
    </message>
    <message>
        <source>Fork “{name}” at floor {floor}</source>
        <translation>从第 {floor} 楼分出“{name}”</translation>
    </message>
    <message>
        <source>Rename the branch “{name}”</source>
        <translation>重命名分支“{name}”</translation>
    </message>
    <message>
        <source>Delete the branch “{name}”</source>
        <translation>删除分支“{name}”</translation>
    </message>
    <message>
        <source>Take {count} entries of “{file}” into the memory</source>
        <translation>把“{file}”的 {count} 个条目收入记忆</translation>
    </message>
    <message>
        <source>Import the world book “{name}”</source>
        <translation>导入世界书“{name}”</translation>
    </message>
    <message>
        <source>Rename the chat “{name}” to “{new}”</source>
        <translation>将聊天“{name}”重命名为“{new}”</translation>
    </message>
    <message>
        <source>Put a file in the place of the world book “{name}”</source>
        <translation>用文件替换世界书“{name}”</translation>
    </message>
    <message>
        <source>Add {count} entries of a file to “{name}”</source>
        <translation>把文件中的 {count} 个条目并入“{name}”</translation>
    </message>
    <message>
        <source>Rename the world book “{name}” to “{new}”</source>
        <translation>将世界书“{name}”重命名为“{new}”</translation>
    </message>
    <message>
        <source>Delete the world book “{name}”</source>
        <translation>删除世界书“{name}”</translation>
    </message>
    <message>
        <source>Add an entry to “{name}”</source>
        <translation>在“{name}”中添加条目</translation>
    </message>
    <message>
        <source>Edit the entry “{entry}” of “{name}”</source>
        <translation>编辑“{name}”的条目“{entry}”</translation>
    </message>
    <message>
        <source>Edit {count} entries of “{name}”</source>
        <translation>编辑“{name}”的 {count} 个条目</translation>
    </message>
    <message>
        <source>Delete the entry “{entry}” of “{name}”</source>
        <translation>删除“{name}”的条目“{entry}”</translation>
    </message>
    <message>
        <source>Delete {count} entries of “{name}”</source>
        <translation>删除“{name}”的 {count} 个条目</translation>
    </message>
    <message>
        <source>Move {count} entries of “{name}” to “{new}”</source>
        <translation>把“{name}”的 {count} 个条目移到“{new}”</translation>
    </message>
    <message>
        <source>Give {count} entries of “{name}” the order of the list</source>
        <translation>将列表的排序应用到“{name}”的 {count} 个条目</translation>
    </message>
    <message>
        <source>Move {count} entries of “{name}”</source>
        <translation>移动“{name}”的 {count} 个条目</translation>
    </message>
    <message>
        <source>Put {count} entries of “{name}” under “{heading}”</source>
        <translation>将“{name}”的 {count} 个条目放到“{heading}”下</translation>
    </message>
    <message>
        <source>Take {count} entries of “{name}” from under their heading</source>
        <translation>将“{name}”的 {count} 个条目移出标题</translation>
    </message>
    <message>
        <source>Switch “{heading}” of “{name}” on</source>
        <translation>启用“{name}”的“{heading}”</translation>
    </message>
    <message>
        <source>Switch “{heading}” of “{name}” off</source>
        <translation>停用“{name}”的“{heading}”</translation>
    </message>
    <message>
        <source>Switch “{name}” on in every chat</source>
        <translation>在所有聊天中启用“{name}”</translation>
    </message>
    <message>
        <source>No longer switch “{name}” on in every chat</source>
        <translation>不再在所有聊天中启用“{name}”</translation>
    </message>
    <message>
        <source>Switch “{name}” on in the chat “{chat}”</source>
        <translation>在聊天“{chat}”中启用“{name}”</translation>
    </message>
    <message>
        <source>No longer switch “{name}” on in the chat “{chat}”</source>
        <translation>不再在聊天“{chat}”中启用“{name}”</translation>
    </message>
    <message>
        <source>Switch “{name}” on in the chats of {character}</source>
        <translation>在{character}的聊天中启用“{name}”</translation>
    </message>
    <message>
        <source>Import the character “{name}”</source>
        <translation>导入角色“{name}”</translation>
    </message>
    <message>
        <source>Delete the character “{name}”</source>
        <translation>删除角色“{name}”</translation>
    </message>
    <message>
        <source>Import {count} regex scripts</source>
        <translation>导入 {count} 个正则脚本</translation>
    </message>
    <message>
        <source>Switch the regex script “{name}” on</source>
        <translation>启用正则脚本“{name}”</translation>
    </message>
    <message>
        <source>Switch the regex script “{name}” off</source>
        <translation>停用正则脚本“{name}”</translation>
    </message>
    <message>
        <source>Move the regex script “{name}”</source>
        <translation>移动正则脚本“{name}”</translation>
    </message>
    <message>
        <source>Delete the regex script “{name}”</source>
        <translation>删除正则脚本“{name}”</translation>
    </message>
    <message>
        <source>Edit the prompt “{task}”</source>
        <translation>编辑提示词“{task}”</translation>
    </message>
    <message>
        <source>Use the built-in prompt “{task}” again</source>
        <translation>恢复内置提示词“{task}”</translation>
    </message>
    <message>
        <source>Choose the model for “{task}”</source>
        <translation>为“{task}”选择模型</translation>
    </message>
    <message>
        <source>Make the volume “{name}”</source>
        <translation>制作记忆册“{name}”</translation>
    </message>
    <message>
        <source>Update the volume “{name}”</source>
        <translation>更新记忆册“{name}”</translation>
    </message>
    <message>
        <source>Import the volume “{name}”</source>
        <translation>导入记忆册“{name}”</translation>
    </message>
    <message>
        <source>Delete the volume “{name}”</source>
        <translation>删除记忆册“{name}”</translation>
    </message>
    <message>
        <source>Let “{chat}” read the volume “{name}”</source>
        <translation>让“{chat}”读取记忆册“{name}”</translation>
    </message>
    <message>
        <source>No longer let “{chat}” read the volume “{name}”</source>
        <translation>不再让“{chat}”读取记忆册“{name}”</translation>
    </message>
    <message>
        <source>Take things in from the folder {folder}</source>
        <translation>从文件夹 {folder} 导入</translation>
    </message>
</context>
<context>
    <name>suggestions</name>
    <message>
        <source>“{a}” and “{b}” are the same name in another spelling</source>
        <translation>“{a}”与“{b}”是同一名字的不同写法</translation>
    </message>
    <message>
        <source>“{a}” is “{b}” with a title</source>
        <translation>“{a}”是“{b}”加上称谓</translation>
    </message>
    <message>
        <source>“{b}” may be short for “{a}”</source>
        <translation>“{b}”可能是“{a}”的简称</translation>
    </message>
    <message>
        <source>“{b}” is part of “{a}”</source>
        <translation>“{a}”包含“{b}”</translation>
    </message>
    <message>
        <source>“{b}” may be a pet name for “{a}”</source>
        <translation>“{b}”可能是“{a}”的昵称</translation>
    </message>
    <message>
        <source>“{b}” may abbreviate “{a}”</source>
        <translation>“{b}”可能是“{a}”的缩写</translation>
    </message>
    <message>
        <source>“{a}” and “{b}” are spelt alike</source>
        <translation>“{a}”与“{b}”写法相近</translation>
    </message>
    <message>
        <source>the player speaks as “{name}” too</source>
        <translation>玩家也用“{name}”这个名字说话</translation>
    </message>
    <message>
        <source>never in the same event, though with the same company</source>
        <translation>身边是同一群人，却从未同时出现</translation>
    </message>
    <message>
        <source>but they appear together in {count} events</source>
        <translation>但两者在 {count} 个事件中同时出现</translation>
    </message>
    <message>
        <source>but a relation links the two</source>
        <translation>但两者之间有一条关系</translation>
    </message>
    <message>
        <source>described alike: {facts}</source>
        <translation>档案相同：{facts}</translation>
    </message>
    <message>
        <source>but described differently: {facts}</source>
        <translation>但档案不同：{facts}</translation>
    </message>
</context>
</TS>
