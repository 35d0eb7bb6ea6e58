// How the scripts of all pages find elements and make them.
'use strict';
const byId = id => document.getElementById(id);

// An element with attributes or, where they are functions, listeners, and children.
function make(name, more, ...children) {
  const svg = ['svg', 'g', 'line', 'path', 'rect', 'text', 'title'].includes(name);
  const element = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(more ?? {})) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}
