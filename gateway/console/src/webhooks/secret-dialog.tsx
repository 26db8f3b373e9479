import { Button, Group, Stack, Text } from "@mantine/core";
import { CodeBlock } from "../ui/code.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** Dialog with the signing secret. No other part of the console displays the secret. */
export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog isOpen title="The signing secret" onClose={onClose}>
      <Stack gap="sm">
        <Text size="sm">
          Store it where the receiver reads its secrets: the console does not show it again. Each delivery is signed
          with it.
        </Text>
        <CodeBlock text={secret} label="signing secret" />
        <Group justify="flex-end">
          <Button onClick={onClose}>I have stored it</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
