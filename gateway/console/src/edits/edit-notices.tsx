import { Button, Group, Text } from "@mantine/core";
import { ConflictDialog } from "./conflict-dialog.tsx";
import type { EditView } from "./use-edit.ts";

/** What a form shows of its edit: a conflict, and the way back to what "Take theirs" replaced. */
export function EditNotices({ edit: { conflict, setAside } }: { readonly edit: EditView }) {
  return (
    <>
      {setAside !== undefined && (
        <Group gap="xs" role="status">
          <Text size="sm" c="dimmed">
            {setAside.isMine ? "This is the stored version." : "This is your version."}
          </Text>
          <Button size="compact-sm" variant="default" onClick={setAside.swap}>
            {setAside.isMine ? "Bring back mine" : "Show theirs"}
          </Button>
        </Group>
      )}
      <ConflictDialog conflict={conflict} />
    </>
  );
}
