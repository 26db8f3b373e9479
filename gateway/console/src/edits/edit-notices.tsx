import { Button, Group, Text } from "@mantine/core";
import { ConflictDialog } from "./conflict-dialog.tsx";
import type { EditView } from "./use-edit.ts";

/** Shows an edit's conflict dialog, and after "Take theirs" a button that restores the replaced draft. */
export function EditNotices({ edit: { conflict, setAside } }: { readonly edit: EditView }) {
  return (
    <>
      {setAside !== undefined && (
        <Group gap="xs" role="status">
          <Text size="sm" c="dimmed">
            {setAside.isMine ? "This is the stored version." : "This is your version."}
          </Text>
          <Button size="compact-sm" variant="default" onClick={setAside.swap}>
            {setAside.isMine ? "Restore mine" : "Show theirs"}
          </Button>
        </Group>
      )}
      <ConflictDialog conflict={conflict} />
    </>
  );
}
