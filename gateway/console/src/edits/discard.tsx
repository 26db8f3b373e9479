// Question before unsaved input is discarded: by Escape in a dialog, by another page, or by signing out.

import { Button, Group, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { forgetUnsaved, hasUnsaved } from "./unsaved.ts";

type Answer = (isDiscarded: boolean) => void;
let answer: Answer | undefined;
const listeners = new Set<() => void>();

const setAnswer = (next: Answer | undefined) => {
  answer = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Asks whether to discard the input of all open forms. Resolves to true if it is discarded, or if there is none. */
export async function confirmDiscard(): Promise<boolean> {
  if (!hasUnsaved()) return true;
  answer?.(false);
  const isDiscarded = await new Promise<boolean>(setAnswer);
  if (isDiscarded) forgetUnsaved();
  return isDiscarded;
}

export function DiscardDialog() {
  const isOpen = useSyncExternalStore(subscribe, () => answer !== undefined);
  useBlocker({
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await confirmDiscard()),
    enableBeforeUnload: hasUnsaved,
  });
  const close = (isDiscarded: boolean) => {
    answer?.(isDiscarded);
    setAnswer(undefined);
  };
  return (
    <Dialog isOpen={isOpen} isAboveAll size="sm" onClose={() => close(false)} title="Discard unsaved changes?">
      <Stack gap="md">
        <Text size="sm">What you typed is not saved yet.</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" data-autofocus onClick={() => close(false)}>
            Keep editing
          </Button>
          <Button color="red.9" onClick={() => close(true)}>
            Discard
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
