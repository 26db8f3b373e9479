// Dialog that appears after another tab has switched the session to another application.

import { Button, Stack, Text } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { Dialog } from "../ui/dialog.tsx";

let isConflict = false;
const listeners = new Set<() => void>();

export function showConflict(): void {
  isConflict = true;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function ConflictNotice() {
  const isOpen = useSyncExternalStore(subscribe, () => isConflict);
  return (
    <Dialog isOpen={isOpen} isAboveAll onClose={undefined} title="Application switched">
      <Stack gap="md">
        <Text size="sm">Another tab signed in to another application. Nothing was changed from this tab.</Text>
        <Button data-autofocus onClick={() => window.location.assign("/")}>
          Continue with the other application
        </Button>
      </Stack>
    </Dialog>
  );
}
