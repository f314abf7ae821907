// SPDX-FileCopyrightText: 2026 the proftop authors
// SPDX-License-Identifier: Apache-2.0
//
// perfetto.js FOLDER TRACE SQL...: asks Perfetto's trace_processor about a trace. FOLDER has
// engine_bundle.js and trace_processor.wasm of Perfetto's user interface, which run in a browser's
// worker. This gives them what they need of one. Prints a line of JSON for each question. The
// messages are those of protos/perfetto/trace_processor/trace_processor.proto.
"use strict";
const fs = require("fs");
const path = require("path");
const exit = process.exit.bind(process);
const [folder, trace, ...questions] = process.argv.slice(2);
const APPEND = 1, FINALIZE = 2, QUERY = 3, PIECE = 1 << 20;

// ------------------------------------------------------------------------------- protocol buffers
function varint(value) {
  const bytes = [];
  let rest = BigInt(value);
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest ? low | 128 : low);
  } while (rest);
  return Buffer.from(bytes);
}
const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field, value) =>
  Buffer.concat([varint((field << 3) | 2), varint(value.length), value]);

function readVarint(from, at) {
  let value = 0n, shift = 0n;
  for (;;) {
    const byte = from[at.at++];
    value |= BigInt(byte & 127) << shift;
    shift += 7n;
    if (byte < 128) return BigInt.asIntN(64, value);
  }
}

function* fields(from) {
  for (const at = { at: 0 }; at.at < from.length;) {
    const key = Number(readVarint(from, at));
    if ((key & 7) === 0) {
      yield [key >> 3, readVarint(from, at)];
    } else {
      const size = (key & 7) === 1 ? 8 : Number(readVarint(from, at));
      yield [key >> 3, from.subarray(at.at, at.at += size)];
    }
  }
}

function varints(from) {
  const values = [];
  for (const at = { at: 0 }; at.at < from.length;) values.push(Number(readVarint(from, at)));
  return values;
}

// --------------------------------------------------------------------------------------- answers
let answer = { names: [], cells: [], error: "" };

function takeBatch(from) {
  let types = [], whole = [], real = [], text = [], last = false;
  for (const [field, value] of fields(from)) {
    if (field === 1) types = varints(value);
    if (field === 2) whole = varints(value);
    if (field === 3)
      for (let i = 0; i < value.length; i += 8) real.push(value.readDoubleLE(i));
    if (field === 5) text = value.toString().split("\0");
    if (field === 6) last = Boolean(value);
  }
  const of = [[], [], whole, real, text].map((values) => values.values());
  for (const type of types) answer.cells.push(of[type].next().value ?? null);
  return last;
}

function takeResult(from) {
  let last = false;
  for (const [field, value] of fields(from)) {
    if (field === 1) answer.names.push(value.toString());
    if (field === 2) answer.error = value.toString();
    if (field === 3) last = takeBatch(value) || last;
  }
  if (!last && !answer.error) return;
  const rows = [], wide = answer.names.length;
  for (let i = 0; i < answer.cells.length; i += wide)
    rows.push(Object.fromEntries(answer.names.map((name, k) => [name, answer.cells[i + k]])));
  fs.writeSync(1, JSON.stringify({ error: answer.error, rows }) + "\n");
  answer = { names: [], cells: [], error: "" };
  questions.shift();
  next();
}

let stream = Buffer.alloc(0);
function take(piece) {
  stream = Buffer.concat([stream, Buffer.from(piece)]);
  for (;;) {
    const at = { at: 1 };
    let end = 1;
    while (end < stream.length && stream[end] >= 128) end++;
    if (end >= stream.length) return;
    const size = Number(readVarint(stream, at));
    if (stream.length < at.at + size) return;
    const message = stream.subarray(at.at, at.at + size);
    stream = stream.subarray(at.at + size);
    for (const [field, value] of fields(message))
      if (field === 203) takeResult(value);
  }
}

// ---------------------------------------------------------------------------- a browser's worker
const file = (url) => fs.readFileSync(path.join(folder, path.basename(String(url))));
globalThis.self = globalThis;
globalThis.location = { href: "file:///engine_bundle.js" };
globalThis.importScripts = () => {};
globalThis.WorkerGlobalScope = function () {};
globalThis.XMLHttpRequest = class {
  open(_, url) { this.url = url; }
  send() {
    const content = file(this.url);
    this.status = 200;
    this.response = content.buffer.slice(content.byteOffset, content.byteOffset + content.length);
  }
};
globalThis.fetch = async (url) =>
  new Response(file(url), { headers: { "Content-Type": "application/wasm" } });
console.log = console.info = console.warn = () => {};
Object.defineProperty(globalThis, "process", { value: undefined });
(0, eval)(file("engine_bundle.js").toString());

const port = { postMessage: take };
globalThis.onmessage({ data: port });
let asked = 0;
function send(request, more = Buffer.alloc(0)) {
  const message = Buffer.concat([number(1, asked++), number(2, request), more]);
  port.onmessage({ data: new Uint8Array(bytes(1, message)) });
}

function next() {
  if (questions.length === 0) exit(0);
  send(QUERY, bytes(103, bytes(1, Buffer.from(questions[0]))));
}

function begin() {
  const content = fs.readFileSync(trace);
  for (let i = 0; i < content.length; i += PIECE)
    send(APPEND, bytes(101, content.subarray(i, i + PIECE)));
  send(FINALIZE);
  next();
}
// It is compiled by now, and made ready by a promise: in the next turn.
setTimeout(begin, 0);
