import { expect, test } from "vitest";
import { Intents } from "./intents.ts";
import { post } from "./request.ts";

const request = (title: string) => post("/v0/topics", { body: { title } });

function recorded() {
  const intents = new Intents();
  const keys: string[] = [];
  const send = (title: string, answer: () => Promise<string> = async () => "done") =>
    intents.send(request(title), (key) => {
      keys.push(key);
      return answer();
    });
  return { intents, keys, send };
}

test("a request whose answer was lost is sent again with its key, and a changed one with a new key", async () => {
  const { keys, send } = recorded();
  await expect(send("Cards", () => Promise.reject(new TypeError("lost")))).rejects.toThrow("lost");
  await send("Cards");
  await send("Loans");
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test("a double click sends one request, and both clicks get its answer", async () => {
  const { keys, send } = recorded();
  expect(await Promise.all([send("Cards"), send("Cards")])).toEqual(["done", "done"]);
  expect(keys).toHaveLength(1);
});

test("the same request after a success is a new intent only if the intent was ended", async () => {
  const { intents, keys, send } = recorded();
  await send("Cards");
  await send("Cards");
  intents.end(request("Cards"));
  await send("Cards");
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});
