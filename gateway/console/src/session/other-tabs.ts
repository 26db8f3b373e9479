// Notifies other tabs of this browser of sign-in and sign-out.

export type SessionChange = "signed-in" | "signed-out";

const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("ems-session");

export const notifyTabs = (change: SessionChange) => channel?.postMessage(change);

/** Calls `onChange` for changes in other tabs. Returns a function that stops this. */
export function watchTabs(onChange: (change: SessionChange) => void): () => void {
  const listener = ({ data }: MessageEvent<SessionChange>) => onChange(data);
  channel?.addEventListener("message", listener);
  return () => channel?.removeEventListener("message", listener);
}
