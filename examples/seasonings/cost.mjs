// A plugin in JavaScript: a cost estimate, and a function that computes one.
//
//     npm install @msgpack/msgpack
//     tofutypes plugin check -- node cost.mjs
//     tofutypes plugin run --plugin "node cost.mjs" -- tofu plan
//
// Messages are MessagePack, one after the other, without frames: [0, id, method, params] is a call,
// [1, id, error, result] the answer, [2, method, params] a notification. Unknown values arrive as
// ExtData. Standard output is for messages alone: logs go to console.error.

import { decodeMultiStream, encode, ExtData } from "@msgpack/msgpack";

const HOURS = 730;
const PRICES = { small: 0.05, large: 0.4 }; // an hour

class CallError extends Error {
  constructor(code, message, data = null) {
    super(message);
    this.answer = { code, message, data };
  }
}

function number(value, argument) {
  // Numbers that are no float64 arrive as text, so that no digit is lost.
  const parsed = typeof value === "string" ? Number(value) : value;
  if (typeof parsed !== "number" || Number.isNaN(parsed)) {
    throw new CallError(-32602, "expected a number", { argument });
  }
  return parsed;
}

const functions = {
  monthly_cost: {
    schema: {
      description: "What an hourly price is in a month.",
      return_type: "number",
      parameters: [{ name: "hourly", type: "number" }],
    },
    call: ([hourly]) => number(hourly, 0) * HOURS,
  },
};

let total = 0;

function estimate({ resource_type, after }) {
  const size = after?.size;
  if (size instanceof ExtData) {
    return { status: "warning", message: `the size of ${resource_type} is not known yet` };
  }
  const monthly = (PRICES[size] ?? 0) * HOURS;
  total += monthly;
  return { status: "success", metadata: { monthly } };
}

const methods = {
  init: () => ({
    protocol_version: "1.0",
    plugin: { name: "cost", version: "1.0.0" },
    capabilities: ["hooks.postPlan", "hooks.planStageComplete", "functions"],
  }),
  ping: () => ({ status: "ok" }),
  shutdown: () => ({}),
  "middleware/postPlan": estimate,
  "middleware/planStageComplete": () => ({ status: "success", metadata: { total } }),
  "functions/getSchema": () => ({
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, { schema }]) => [name, schema]),
    ),
  }),
  "functions/call": ({ name, arguments: values }) => {
    const called = functions[name];
    if (called === undefined) throw new CallError(-32602, `unknown function ${name}`);
    const expected = called.schema.parameters.length;
    if (values?.length !== expected) {
      throw new CallError(-32602, `expected ${expected} arguments`);
    }
    return { result: called.call(values) };
  },
};

let greeted = false;

function answer(method, params) {
  if (typeof method !== "string") throw new CallError(-32600, "expected the name of a method");
  const name = method.replace(".", "/").replace(/^hooks\//, "middleware/");
  if (!greeted && !["init", "ping", "shutdown"].includes(name)) {
    throw new CallError(-32002, "call init first");
  }
  if (!Object.hasOwn(methods, name)) throw new CallError(-32601, `no such method: ${name}`);
  greeted ||= name === "init";
  return methods[name](Array.isArray(params) ? (params[0] ?? {}) : params);
}

for await (const [kind, ...message] of decodeMultiStream(process.stdin)) {
  if (kind === 2) {
    if (message[0] === "shutdown") process.exit(0);
    continue;
  }
  const [id, method, params] = message;
  let reply;
  try {
    reply = [1, id, null, answer(method, params)];
  } catch (error) {
    const internal = { code: -32603, message: `raised ${error.name}`, data: null };
    reply = [1, id, error.answer ?? internal, null];
  }
  await new Promise((written) => process.stdout.write(encode(reply), written));
  if (method === "shutdown") process.exit(0);
}
