// What programs of EJS templates may use, by the names that ST-Prompt-Template documents. They read
// what they are handed and change their own copy of the variables; nothing here reaches further.
// A function of (given, variables, read, most): `read` has what was worked out for them, `most` is
// how many characters a template may make.
(given, variables, read, most) => {
  const DEEPEST = 20; // templates in templates
  const made = [];
  const scopes = { local: {}, global: {}, message: {}, initial: {}, ...read.scopes, cache: variables };
  const messages = read.messages ?? [];
  const books = read.books ?? {};
  const cards = read.cards ?? [];
  let size = 0;

  const put = (text, printed, pieces = made) => {
    size += text.length;
    if (size > most) throw new RangeError("it makes too much text");
    pieces.push([text, printed]);
  };
  const told = (value) =>
    value === null || value === undefined ? ""
    : typeof value === "object" ? JSON.stringify(value) : String(value);
  const refuse = (name) => { throw new Error(`engram-refused:${name}`); };
  const copied = (value) => value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  const isPlain = (value) => Object.prototype.toString.call(value) === "[object Object]";

  // Paths such as a.b[0]["c d"]; a name that is there as it stands is one step.
  const STEP = /[^.[\]]+|\[(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\]]*))\]/g;
  const pathOf = (key, at) => {
    if (Array.isArray(key)) return key;
    if (Object.hasOwn(Object(at), key)) return [key];
    return [...String(key).matchAll(STEP)].map((m) => m[1] ?? m[2] ?? m[3] ?? m[0]);
  };
  const valueAt = (at, key) => pathOf(key, at).reduce((inner, step) => inner?.[step], at);
  const isThere = (at, key) => valueAt(at, key) !== undefined;
  const putAt = (at, key, value) => {
    const path = pathOf(key, at);
    const last = path.pop();
    path.forEach((step, n) => {
      if (typeof at[step] !== "object" || at[step] === null) {
        at[step] = /^\d+$/.test(path[n + 1] ?? last) ? [] : {};
      }
      at = at[step];
    });
    at[last] = value;
  };
  const dropAt = (at, key) => {
    const path = pathOf(key, at);
    const last = path.pop();
    const inner = path.reduce((here, step) => here?.[step], at);
    if (inner !== null && typeof inner === "object") delete inner[last];
  };
  const merged = (old, value) => {
    if (Array.isArray(old) && Array.isArray(value)) {
      const result = [...old];
      value.forEach((v, n) => { result[n] = merged(old[n], v); });
      return result;
    }
    if (!isPlain(old) || !isPlain(value)) return value;
    const result = { ...old };
    for (const [name, v] of Object.entries(value)) result[name] = merged(old[name], v);
    return result;
  };

  // An index goes into a list or an object, which may be written as JSON, as /getvar index= does.
  const opened = (value) => {
    if (typeof value !== "string") return value;
    try { return JSON.parse(value); } catch { return value; }
  };
  const indexed = (value, index) => {
    const inner = opened(value);
    return typeof inner === "object" && inner !== null
      ? (Array.isArray(inner) ? inner.at(Number(index)) : inner[index]) : undefined;
  };
  const getvar = (key, options = {}) => {
    const from = scopes[options?.scope ?? "cache"] ?? variables;
    const found = key === null || key === undefined ? from : valueAt(from, key);
    const value = options?.index === undefined || options.index === null
      ? found : indexed(found, options.index);
    return value === undefined ? options?.defaults : value;
  };
  const setvar = (key, value, options = {}) => {
    const flags = options?.flags ?? "n";
    const to = scopes[options?.scope ?? "message"] ?? scopes.message;
    const known = isThere(flags.endsWith("s") ? to : variables, key);
    if (flags.startsWith("n") && flags !== "n" && known) return undefined;
    if (flags.startsWith("x") && !known) return undefined;
    const old = getvar(key, { index: options?.index });
    let next = value;
    const before = valueAt(variables, key);
    if (options?.index !== undefined && options.index !== null) {
      const whole = opened(copied(before)) ?? (Number.isInteger(Number(options.index)) ? [] : {});
      whole[options.index] = value;
      next = typeof before === "string" ? JSON.stringify(whole) : whole;
    } else if (options?.merge) next = merged(before, value);
    if (key === null || key === undefined) {
      for (const name of Object.keys(variables)) delete variables[name];
      Object.assign(variables, next);
    } else {
      putAt(variables, key, next);
      if (to !== variables) putAt(to, key, copied(next));
    }
    return answer(options, old, value);
  };
  const answer = (options, old, value) =>
    options?.results === "old" ? old : options?.results === "fullcache" ? variables : value;
  const incvar = (key, by = 1, options = {}) => {
    const was = Number(getvar(key, { index: options?.index, scope: options?.inscope })
      ?? options?.defaults ?? 0);
    let next = was + Number(by);
    if (typeof options?.min === "number") next = Math.max(options.min, next);
    if (typeof options?.max === "number") next = Math.min(options.max, next);
    return setvar(key, next, { ...options, scope: options?.outscope ?? options?.scope });
  };
  const decvar = (key, by = 1, options = {}) => incvar(key, -by, options);
  const changed = (key, options, change) => {
    const old = valueAt(variables, key);
    const next = change(copied(old));
    if (next === undefined) return undefined;
    return setvar(key, next, { ...options, index: undefined });
  };
  const delvar = (key, index, options = {}) => {
    if (index === undefined || index === null) {
      const old = valueAt(variables, key);
      dropAt(variables, key);
      for (const scope of Object.values(scopes)) dropAt(scope, key);
      return answer(options, old, undefined);
    }
    return changed(key, options, (value) => {
      if (Array.isArray(value)) {
        const at = Number(index) < 0 ? value.length + Number(index) : Number(index);
        if (!(at in value)) return undefined;
        value.splice(at, 1);
        return value;
      }
      if (typeof value === "string") return value.includes(index) ? value.replace(index, "") : undefined;
      if (!isPlain(value) || !Object.hasOwn(value, index)) return undefined;
      delete value[index];
      return value;
    });
  };
  const insvar = (key, added, index, options = {}) => changed(key, options, (value) => {
    if (Array.isArray(value)) value.splice(index ?? value.length, 0, added);
    else if (typeof value === "string") {
      const at = Number(index ?? value.length);
      return value.slice(0, at) + told(added) + value.slice(at);
    } else if (isPlain(value) && index !== undefined) value[index] = added;
    else return undefined;
    return value;
  });

  // RFC 6902, on a copy.
  const jsonPatch = (target, change) => {
    const box = { "": copied(target) };
    const steps = (pointer) =>
      ["", ...String(pointer).split("/").slice(1).map((s) => s.replaceAll("~1", "/").replaceAll("~0", "~"))];
    const place = (pointer) => {
      const path = steps(pointer);
      const last = path.pop();
      const at = path.reduce((inner, step) => inner?.[step], box);
      if (typeof at !== "object" || at === null) throw new Error(`there is no ${pointer}`);
      return [at, last];
    };
    const take = (pointer) => {
      const [at, last] = place(pointer);
      if (!(last in at)) throw new Error(`there is no ${pointer}`);
      const value = at[last];
      Array.isArray(at) ? at.splice(Number(last), 1) : delete at[last];
      return value;
    };
    const add = (pointer, value) => {
      const [at, last] = place(pointer);
      if (!Array.isArray(at)) at[last] = value;
      else at.splice(last === "-" ? at.length : Number(last), 0, value);
    };
    const read = (pointer) => { const [at, last] = place(pointer); return at[last]; };
    for (const { op, path, from, value } of change) {
      if (op === "add") add(path, copied(value));
      else if (op === "remove") take(path);
      else if (op === "replace") { take(path); add(path, copied(value)); }
      else if (op === "move") add(path, take(from));
      else if (op === "copy") add(path, copied(read(from)));
      else if (op === "test") {
        if (JSON.stringify(read(path)) !== JSON.stringify(value)) throw new Error(`${path} is another`);
      } else throw new Error(`there is no ${op} in a patch`);
    }
    return box[""];
  };
  const patchVariables = (key, change, options = {}) =>
    setvar(key, jsonPatch(key === null || key === undefined ? variables : valueAt(variables, key) ?? {}, change), options);

  // JSON as models write it: in fences, with comments, single quotes, bare names, commas too many.
  const parseJSON = (text) => {
    const inner = String(text).replace(/^\s*```\w*\s*/, "").replace(/\s*```\s*$/, "");
    try { return JSON.parse(inner); } catch { /* read again below */ }
    const token = /"(?:[^"\\]|\\.)*"|'((?:[^'\\]|\\.)*)'|\/\/[^\n]*|\/\*[^]*?\*\/|([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)(?=\s*:)|(,)(?=\s*[}\]])|[^]/g;
    return JSON.parse(inner.replace(token, (all, single, name, extra) =>
      single !== undefined ? JSON.stringify(single.replaceAll("\\'", "'"))
      : name !== undefined ? JSON.stringify(name)
      : extra || /^\/[/*]/.test(all) ? "" : all));
  };

  const isOf = (role) => ({ isUser, isSystem }) =>
    !role || role === "any" || (role === "user" ? isUser : role === "system" ? isSystem : !isUser && !isSystem);
  const getChatMessage = (index, role) => messages.filter(isOf(role)).at(Number(index))?.text ?? "";
  const getChatMessages = (start = messages.length, end = undefined, role = undefined) => {
    if (typeof end === "number") return messages.filter(isOf(role)).slice(start, end).map((m) => m.text);
    const some = messages.filter(isOf(end));
    return (start > 0 ? some.slice(0, start) : start < 0 ? some.slice(start) : []).map((m) => m.text);
  };
  const isIn = (text, pattern) =>
    pattern instanceof RegExp ? new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, "")).test(text)
    : text.includes(String(pattern));
  const matchChatMessages = (pattern, options = {}) => {
    const all = messages.slice(options.start ?? -2, options.end ?? undefined).filter(isOf(options.role));
    const patterns = [pattern].flat();
    const held = (one) => all.some((m) => isIn(m.text, one));
    return options.and ? patterns.every(held) : patterns.some(held);
  };

  const entryOf = (book, title) => (books[book] ?? []).find((entry) =>
    title instanceof RegExp ? isIn(entry.comment, title)
    : entry.comment === title || String(entry.uid) === String(title));
  const bookOf = (name) => name || read.names?.charLoreBook || read.names?.chatLoreBook || "";
  const keyed = (key, text) => {
    const parts = /^\/(.+)\/([a-z]*)$/s.exec(key);
    return parts ? isIn(text, new RegExp(parts[1], parts[2])) : text.toLowerCase().includes(key.toLowerCase());
  };
  const selectActivatedEntries = (entries, keywords, condition = {}) => {
    const text = [keywords].flat().join("\n");
    const wanted = (entry) => {
      const { constant, disabled, vectorized } = isPlain(condition) ? condition : {};
      if (typeof constant === "boolean" && constant !== entry.constant) return false;
      if (typeof vectorized === "boolean" && vectorized !== entry.vectorized) return false;
      if (entry.disable !== (disabled ?? false)) return false;
      if (entry.constant) return true;
      if (!entry.key.some((key) => key && keyed(key, text))) return false;
      const others = (entry.keysecondary ?? []).filter(Boolean);
      if (!entry.selective || !others.length) return true;
      const hits = others.filter((key) => keyed(key, text)).length;
      return [hits > 0, hits < others.length, hits === 0, hits === others.length][entry.selectiveLogic ?? 0];
    };
    return entries.filter(wanted);
  };
  const getEnabledWorldInfoEntries = async (character = true, shared = true, persona = true, extra = true) => {
    const kinds = { character, shared, persona, chat: true, extra };
    return (read.enabled ?? []).filter(([, kind]) => kinds[kind] ?? true)
      .flatMap(([book]) => copied(books[book] ?? []));
  };
  const cardOf = (name) =>
    name === undefined || name === null ? cards.find((card) => card.isOfChat)
    : cards.find((card, n) => name instanceof RegExp ? isIn(card.name, name)
      : typeof name === "number" ? n === name : card.name === name || card.avatar === name);
  // The layout that the extension documents as its default.
  const described = (card) => {
    const lines = [
      ["System: ", card.system_prompt], ["name: ", card.name], ["personality: ", card.personality],
      ["description: ", card.description], ["example:\n", card.message_example],
      ["System: ", card.depth_prompt],
    ];
    const text = lines.filter(([, value]) => value).map(([head, value]) => `${head}${value}\n`).join("");
    return card.name ? `<${card.name}>\n${text}</${card.name}>` : "";
  };

  const notKept = (name) => () => refuse(name);
  const names = { userName: "", charName: "", chatId: "", characterId: "", groupId: null, groups: [],
    charAvatar: "", userAvatar: "", lastUserMessageId: -1, lastCharMessageId: -1, model: "",
    charLoreBook: undefined, userLoreBook: undefined, chatLoreBook: undefined, ...read.names };
  const functions = {
    variables, ...names, charaLoreBook: names.charLoreBook, personaLoreBook: names.userLoreBook,
    generateType: "", runType: "generate",
    LAST_SEND_TOKENS: 0, LAST_SEND_CHARS: 0, LAST_RECEIVE_TOKENS: 0, LAST_RECEIVE_CHARS: 0,
    print: (...all) => put(all.map(told).join(""), 1),
    getvar, setvar, incvar, decvar, delvar, insvar, allVariables: () => variables,
    jsonPatch, patchVariables, parseJSON,
    getChatMessage, getChatMessages, matchChatMessages,
    selectActivatedEntries, getEnabledWorldInfoEntries,
    getWorldInfoData: async (book) => copied(books[bookOf(book)] ?? []),
    getWorldInfoActivatedData: async (book, keyword) =>
      selectActivatedEntries(copied(books[bookOf(book)] ?? []), keyword ?? ""),
    getCharaData: async (name) => copied(cardOf(name)?.raw ?? null),
    getPromptsInjected: () => "", hasPromptsInjected: () => false,
    define: (name, value, merge = false) => {
      const ready = typeof value === "function" ? value.bind(scope) : value;
      const old = functions[String(name)];
      functions[String(name)] = merge ? merged(old, ready) : ready;
    },
    // Notices and the console have nobody to read them.
    toastr: new Proxy({}, { get: () => () => undefined }),
    console: new Proxy({}, { get: () => () => undefined }),
    SillyTavern: {
      name1: names.userName, name2: names.charName, chatId: names.chatId, groupId: names.groupId,
      characterId: names.characterId, chatMetadata: { variables: scopes.local },
      extensionSettings: { variables: { global: scopes.global } },
      chat: messages.map((m) => ({
        mes: m.text, name: m.name, is_user: m.isUser, is_system: m.isSystem,
      })),
      getContext() { return this; },
    },
  };
  for (const [part, scope] of [["Local", "local"], ["Global", "global"], ["Message", "message"]]) {
    functions[`get${part}Var`] = (key, options) => getvar(key, { ...options, scope });
    functions[`set${part}Var`] = (key, value, options) => setvar(key, value, { ...options, scope });
    functions[`inc${part}Var`] = (key, by, options) => incvar(key, by, { ...options, outscope: scope });
    functions[`dec${part}Var`] = (key, by, options) => decvar(key, by, { ...options, outscope: scope });
    functions[`del${part}Var`] = (key, index, options) => delvar(key, index, { ...options, scope });
    functions[`insert${part}Var`] = (key, value, index, options) => insvar(key, value, index, { ...options, scope });
  }
  // What would change or start something in SillyTavern.
  for (const name of ["execute", "activewi", "activateWorldInfo", "activateWorldInfoByKeywords",
    "activateRegex", "injectPrompt", "setFeatures", "resetFeatures", "refreshWorldInfo", "fetch",
    "generate", "generateRaw", "XMLHttpRequest", "WebSocket", "$", "jQuery", "faker", "document",
    "window", "localStorage"]) {
    functions[name] = new Proxy(function () {}, { apply: notKept(name), get: notKept(name), construct: notKept(name) });
  }

  // One scope: what is here, then what is given, then the variables of the chat.
  const scopeOver = (first) => {
    const inside = (name) => typeof name === "string" && !name.startsWith("engram")
      && [first, functions, given, variables].find((held) => Object.hasOwn(held, name));
    return new Proxy({}, {
      has: (_all, name) => Boolean(inside(name)),
      get: (_all, name) => inside(name)?.[name],
      set: (_all, name, value) => { (inside(name) || variables)[name] = value; return true; },
    });
  };
  const scope = scopeOver({});
  functions._ = read.lodash;
  if (functions._ === undefined) delete functions._;

  // Templates in templates: the same notation as outside.
  const compiled = (text) => {
    const tag = /<%%|%%>|<%([_=\-#]?)([^]*?)([_\-]?)%>([ \t]*\r?\n)?/g;
    const parts = [];
    const literal = (piece) => { if (piece) parts.push(`engramPut(${JSON.stringify(piece)});`); };
    let at = 0;
    for (const found of text.matchAll(tag)) {
      const [all, kind, code, closing, newline] = found;
      const before = text.slice(at, found.index);
      at = found.index + all.length;
      literal(kind === "_" ? before.replace(/[ \t]+$/, "") : before);
      if (code === undefined) { literal(all.replace("%%", "%")); continue; }
      if (kind === "=" || kind === "-") parts.push(`engramPut(engramTold(${code}\n));`);
      else if (kind !== "#") parts.push(`${code}\n`);
      if (!closing) literal(newline);
    }
    literal(text.slice(at));
    return parts.join("\n");
  };
  const AsyncFunction = (async () => {}).constructor;
  let depth = 0;
  const evalTemplate = async (text, data = {}, here = {}) => {
    if (!String(text).includes("<%")) return String(text);
    if (depth >= DEEPEST) throw new RangeError("templates nest too deeply");
    depth += 1;
    try {
      const pieces = [];
      const add = (piece) => put(piece, 0, pieces);
      const inner = scopeOver({ ...data, ...here, print: (...all) => add(all.map(told).join("")) });
      const run = new AsyncFunction("engramPut", "engramTold", "engramScope",
        `with (engramScope) { await (async function () { ${compiled(String(text))}\n }).call(engramScope); }\n//# sourceURL=engram-inner`);
      await run(add, told, inner);
      size -= pieces.reduce((sum, [piece]) => sum + piece.length, 0); // counted where it is put
      return pieces.map(([piece]) => piece).join("");
    } finally { depth -= 1; }
  };
  const getwiFrom = (current) => async (first, second, third) => {
    const isShort = second === undefined || isPlain(second);
    const book = bookOf(isShort ? current : first || current);
    const entry = entryOf(book, isShort ? first : second);
    if (!entry) return "";
    const getwi = getwiFrom(book);
    return evalTemplate(entry.content, (isShort ? second : third) ?? {}, { getwi, getWorldInfo: getwi, world_info: entry });
  };
  const getchr = async (name, template, data = {}) => {
    const card = cardOf(name);
    if (!card) return "";
    return template === undefined ? described(card) : evalTemplate(template, { ...data, ...card });
  };
  const isNamed = (name, wanted) => wanted instanceof RegExp ? isIn(String(name), wanted) : name === wanted;
  const getprp = async (name, data = {}) => {
    const prompt = (read.presets ?? []).find((one) => isNamed(one.name, name));
    return prompt ? evalTemplate(prompt.content, data) : "";
  };
  const replySet = (name) => (read.replies ?? []).find((one) => isNamed(one.name, name)) ?? null;
  const getqr = async (name, label, data = {}) => {
    const reply = (replySet(name)?.qrList ?? []).find((one) => isNamed(one?.label, label));
    return reply ? evalTemplate(String(reply.message ?? ""), data) : "";
  };
  Object.assign(functions, {
    getprp, getPresetPrompt: getprp, getqr, getQuickReply: getqr,
    getQuickReplyData: (name) => copied(replySet(name)),
    evalTemplate, getchr, getChara: getchr, getwi: getwiFrom(""), getWorldInfo: getwiFrom(""),
  });

  const outcome = () => [made, variables];
  const ended = (run) => run instanceof Promise ? run.then(outcome) : outcome();
  return { put, told, scope, ended };
}
