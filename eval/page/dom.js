"use strict";
// Elements, words, and the data in the page: shared by all pages.

const $ = (id) => document.getElementById(id);

// The name of SVG's elements, taken from the page, so that it holds no address.
const SVG = $("glyphs").namespaceURI;

// An element; attributes in camel case are properties, children may be texts.
const fill = (node, attributes, children) => {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (name.startsWith("on"))
            node.addEventListener(name.slice(2), value);
        else if (name === "class" || name.includes("-") || node.namespaceURI.endsWith("svg"))
            node.setAttribute(name, value);
        else
            node[name] = value;
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
};
const make = (name, attributes, ...children) =>
    fill(document.createElement(name), attributes, children);
const draw = (name, attributes, ...children) =>
    fill(document.createElementNS(SVG, name), attributes,
         children);

const count = (n) => n.toLocaleString("en");
const plural = (n, word) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;

const unpack = async (element) => {
    if (element.type === "application/json")
        return JSON.parse(element.textContent);
    if (typeof DecompressionStream === "undefined")
        throw new Error("This browser cannot unpack the pairs: it has no DecompressionStream.");
    const text = atob(element.textContent);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++)
        bytes[i] = text.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
};
