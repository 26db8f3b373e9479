// Unsaved input of the open forms. This tab's session storage keeps it over reloads, crashes and ended sessions.

export interface UnsavedForm {
  readonly key: string;
  readonly snapshot: unknown;
}

/** Open forms with unsaved input, by their token. */
const forms = new Map<object, UnsavedForm>();
const prefix = "ems-unsaved ";
let owner = "";

/** Sets whose input it is. Other people and applications never get it. */
export function setUnsavedOwner(id: string): void {
  owner = id;
}

export const hasUnsaved = (): boolean => forms.size > 0;

const storageKey = (key: string) => `${prefix}${owner} ${key}`;

/** Marks a form as unsaved. `writeUnsaved` stores its input. */
export function noteUnsaved(token: object, form: UnsavedForm): void {
  forms.set(token, form);
}

/** Stores the input of a form, or of all. */
export function writeUnsaved(token?: object): void {
  for (const [each, { key, snapshot }] of forms) {
    if ((token !== undefined && token !== each) || snapshot === undefined) continue;
    try {
      sessionStorage.setItem(storageKey(key), JSON.stringify(snapshot));
    } catch {
      // The storage is full or switched off. The form itself still has the input.
    }
  }
}

/** Forgets the input of a form, or of all open forms, after it was saved or discarded. */
export function forgetUnsaved(token?: object): void {
  for (const [each, { key }] of forms) {
    if (token !== undefined && token !== each) continue;
    forms.delete(each);
    sessionStorage.removeItem(storageKey(key));
  }
}

/** Stores the input of a form that is removed from the page without an answer to its question. */
export function leaveUnsaved(token: object): void {
  writeUnsaved(token);
  forms.delete(token);
}

/** Returns the stored input of a form that was removed or reloaded. */
export function readUnsaved(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey(key)) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Removes all stored input, when its person signs out. */
export function removeUnsaved(): void {
  forms.clear();
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
}

export const hashText = (text: string): string => {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash.toString(36);
};
