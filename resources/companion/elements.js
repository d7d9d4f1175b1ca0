// Makes elements. What comes from elsewhere is only ever set as text.

// make('div', {class: 'a', text: 'b', onclick: f}, child, …)
export function make(tag, options = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(options)) {
        if (value === undefined || value === null || value === false) continue;
        if (name === 'class') element.className = value;
        else if (name === 'text') element.textContent = value;
        else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? '' : value);
    }
    element.append(...children.filter(Boolean));
    return element;
}

export function button(text, onclick, options = {}) {
    return make('button', { type: 'button', class: 'menu_button engram-button', text, onclick, ...options });
}

// Put these in place of whatever an element holds.
export function fill(element, ...children) {
    element.replaceChildren(...children.filter(Boolean));
}
