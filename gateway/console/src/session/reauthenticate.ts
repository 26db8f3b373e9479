// Signs in again after a session has ended, above the page, so that requests and input are kept.

let waiting: { readonly promise: Promise<boolean>; readonly resolve: (isSignedIn: boolean) => void } | undefined;
const listeners = new Set<() => void>();

const notify = () => {
  for (const listener of listeners) listener();
};

export const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const isWaiting = (): boolean => waiting !== undefined;

/** Opens the dialog. Resolves to true after a sign-in, or to false if the dialog is closed. */
export function signInAgain(): Promise<boolean> {
  waiting ??= Promise.withResolvers<boolean>();
  notify();
  return waiting.promise;
}

export function endWait(isSignedIn: boolean): void {
  waiting?.resolve(isSignedIn);
  waiting = undefined;
  notify();
}
