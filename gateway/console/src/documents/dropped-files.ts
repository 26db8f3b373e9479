// Files of a drop or a file input, also in folders, each with its path.

export interface FoundFile {
  /** Path from the dropped folder, or the file's name. */
  readonly path: string;
  readonly file: File;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Paths of files that cannot be documents, such as images. */
  readonly ignored: readonly string[];
  /** True if there are more files than `filesMax`. */
  readonly isCut: boolean;
}

export const filesMax = 500;
const depthMax = 20;
/** Formats that the API reads, by the extension of the file's name. */
const extensions = ["txt", "md", "markdown", "html", "htm", "json", "csv", "pdf", "docx", "xlsx"];
export const accepted = extensions.map((extension) => `.${extension}`).join(",");

/** Files that systems add to folders. */
const isHidden = (path: string) =>
  path.split("/").some((name) => name.startsWith(".") || name === "__MACOSX" || name === "Thumbs.db");
const isReadable = (path: string) =>
  extensions.some((extension) => path.toLowerCase().endsWith(`.${extension}`)) || !/\.[a-z0-9]{1,5}$/i.test(path);

/** Sorts the files by path, and leaves out hidden ones. */
export function selectFiles(all: readonly FoundFile[]): FoundFiles {
  const visible = all.filter(({ path }) => !isHidden(path));
  const sorted = visible.toSorted((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }));
  const readable = sorted.filter(({ path }) => isReadable(path));
  return {
    files: readable.slice(0, filesMax),
    ignored: sorted.filter(({ path }) => !isReadable(path)).map(({ path }) => path),
    isCut: readable.length > filesMax,
  };
}

/** Returns the files of an input, which may choose a folder. */
export const toFound = (files: readonly File[]): FoundFile[] =>
  files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/** Reads the files of a drop. Call it within the event: the browser forgets the entries afterwards. */
export function readDrop(items: DataTransferItemList): Promise<FoundFile[]> {
  const found = [...items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  return Promise.all(
    found.map((each) => {
      if (each === null) return [];
      return each instanceof File ? toFound([each]) : readEntry(each, 0);
    }),
  ).then((lists) => lists.flat());
}

async function readEntry(entry: FileSystemEntry, depth: number): Promise<FoundFile[]> {
  const path = entry.fullPath.replace(/^\//, "");
  if (isHidden(path) || depth > depthMax) return [];
  if (isFile(entry)) return [{ path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) }];
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: FoundFile[] = [];
  // A call returns a part of the entries, and an empty list at the end.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0 || found.length > filesMax) return found;
    for (const each of entries) found.push(...(await readEntry(each, depth + 1)));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
