// Menu to switch between the person's applications. Owners can also create an application.

import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { ChevronDown, Plus } from "lucide-react";
import { useNew } from "../edits/use-new.ts";
import { getRefusal } from "../session/permissions.ts";
import { type Session, switchTo } from "../session/session.ts";
import { createApplication } from "../settings/settings-requests.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { TextField } from "../ui/text-field.tsx";

export default function ApplicationMenu({ session }: { readonly session: Session }) {
  const [isCreating, creation] = useDisclosure();
  const { application, applications } = session;
  // Reload everything, because the page shows the previous application's data.
  const { mutate, isPending } = useMutation({ mutationFn: switchTo, onSuccess: () => window.location.assign("/") });
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            px="xs"
            maw={220}
            loading={isPending}
            rightSection={<ChevronDown size={14} aria-hidden />}
          >
            {application.name ?? application.id}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: "auto" }}>
          <Menu.Label>Applications</Menu.Label>
          {applications.map(({ id, name, role }) => (
            <Menu.Item
              key={id}
              disabled={id === application.id}
              onClick={() => mutate(id)}
              rightSection={role.toLowerCase()}
            >
              {name}
            </Menu.Item>
          ))}
          {getRefusal(session, "POST /v0/applications") === undefined && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<Plus size={14} aria-hidden />} onClick={creation.open}>
                New application
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isCreating && <NewApplication onClose={creation.close} onCreated={mutate} />}
    </>
  );
}

interface NewApplicationProps {
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
}

function NewApplication({ onClose, onCreated }: NewApplicationProps) {
  const { input, modal } = useNew({
    newDraft: () => ({ title: "" }),
    create: createApplication,
    refreshes: [],
    onCreated: ({ data }) => onCreated(data.id),
  });
  return (
    <FormModal title="New application" {...modal} onClose={onClose}>
      <TextField
        label="Title"
        description="Owned by the owners of this application. Clients need a new API key"
        required
        data-autofocus
        {...input("title")}
      />
    </FormModal>
  );
}
