import { expect, test } from "vitest";
import { filesMax, readDrop, selectFiles, toFound } from "./dropped-files.ts";

const file = (name: string) => new File(["x"], name);
const found = (paths: readonly string[]) => paths.map((path) => ({ path, file: file(path) }));

test("files are sorted by path, hidden ones are left out, and others than documents are named", () => {
  const { files, ignored, isCut } = selectFiles(
    found(["kb/10.md", "kb/2.PDF", "kb/.DS_Store", "kb/.git/HEAD.txt", "kb/logo.png", "LICENSE", "a/Thumbs.db"]),
  );
  expect(files.map(({ path }) => path)).toEqual(["kb/2.PDF", "kb/10.md", "LICENSE"]);
  expect([ignored, isCut]).toEqual([["kb/logo.png"], false]);
});

test("more files than the limit are cut, and the form can say so", () => {
  const { files, isCut } = selectFiles(found(Array.from({ length: filesMax + 1 }, (_, at) => `${at}.txt`)));
  expect([files.length, isCut]).toEqual([filesMax, true]);
});

test("a file of a chosen folder has its path", () => {
  const chosen = Object.defineProperty(file("fees.md"), "webkitRelativePath", { value: "kb/fees.md" });
  expect(toFound([chosen, file("a.txt")]).map(({ path }) => path)).toEqual(["kb/fees.md", "a.txt"]);
});

test("a dropped folder is read to its end, part by part, with its folders", async () => {
  const fileEntry = (fullPath: string) => ({
    isFile: true,
    isDirectory: false,
    fullPath,
    file: (resolve: (file: File) => void) => resolve(file(fullPath)),
  });
  const folder = (fullPath: string, parts: readonly object[][]) => ({
    isFile: false,
    isDirectory: true,
    fullPath,
    createReader: () => {
      const rest = [...parts];
      return { readEntries: (resolve: (entries: object[]) => void) => resolve(rest.shift() ?? []) };
    },
  });
  const nested = folder("/kb/more", [[fileEntry("/kb/more/c.md")]]);
  const entries = [
    folder("/kb", [[fileEntry("/kb/a.md"), nested], [fileEntry("/kb/b.md")]]),
    folder("/.git", [[fileEntry("/.git/HEAD")]]),
    fileEntry("/d.txt"),
  ];
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry, getAsFile: () => null }));
  const dropped = await readDrop(items as never);
  expect(dropped.map(({ path }) => path)).toEqual(["kb/a.md", "kb/more/c.md", "kb/b.md", "d.txt"]);
});
