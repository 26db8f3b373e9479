// Forms with which owners invite members, change roles and remove members.

import { Select, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { Loaded } from "../api/conditional.ts";
import { useChange } from "../api/query.ts";
import { fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { useNew } from "../edits/use-new.ts";
import { sessionKey } from "../session/session.ts";
import { Confirm } from "../ui/confirm.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { TextField } from "../ui/text-field.tsx";
import { isRole, roleChoices, roles } from "./member-roles.ts";
import {
  createInvitation,
  deleteMember,
  type Member,
  type Role,
  refreshedByMembers,
  updateMember,
} from "./settings-requests.ts";

interface RoleFieldProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

function RoleField({ value, onChange }: RoleFieldProps) {
  return (
    <Select
      label="Role"
      data={roleChoices}
      allowDeselect={false}
      value={value}
      onChange={(chosen) => isRole(chosen) && onChange(chosen)}
    />
  );
}

export function Invite({ onClose }: { readonly onClose: () => void }) {
  const form = useNew({
    newDraft: (): { email: string; role: Role } => ({ email: "", role: "VIEWER" }),
    create: ({ email, role }) => createInvitation({ email: email.trim(), role }),
    refreshes: refreshedByMembers,
    onCreated: onClose,
  });
  return (
    <FormModal title="Invite a person" {...form.modal} submitLabel="Invite" onClose={onClose}>
      <TextField
        type="email"
        label="Email address"
        description="Email of their account at the provider"
        required
        data-autofocus
        {...form.input("email")}
      />
      <RoleField value={form.draft.role} onChange={(role) => form.set({ role })} />
      <Text size="xs" c="dimmed">
        {`They are invited by email to sign in at ${window.location.origin} within 7 days. If this installation sends no mail, send them the address; it contains no secret.`}
      </Text>
    </FormModal>
  );
}

interface MemberProps {
  readonly member: Member;
  readonly onClose: () => void;
}

interface ChangeRoleProps {
  readonly loaded: Loaded<{ readonly data: Member }>;
  readonly onClose: () => void;
}

const field = fieldFor<Pick<Member, "role">>();

export function ChangeRole({ loaded, onClose }: ChangeRoleProps) {
  const member = loaded.body.data;
  const client = useQueryClient();
  const edit = useEdit({
    loaded,
    toDraft: ({ data: { role } }) => ({ role }),
    fields: [field("role", "Role", (role) => roles[role].label)],
    makeRequest: ({ role }) => updateMember({ id: member.id, role }),
    refreshes: refreshedByMembers,
    onSaved: () => {
      onClose();
      void client.invalidateQueries({ queryKey: sessionKey });
    },
  });
  return (
    <FormModal title={`Role of ${member.name}`} {...edit.modal} onClose={onClose}>
      <RoleField value={edit.draft.role} onChange={(role) => edit.set({ role })} />
    </FormModal>
  );
}

export function RemoveMember({ member, isOwn, onClose }: MemberProps & { readonly isOwn: boolean }) {
  const client = useQueryClient();
  const removal = useChange(deleteMember, {
    // After removing oneself, do not reload lists: requests would fail.
    refreshes: isOwn ? [] : refreshedByMembers,
    onDone: () => {
      onClose();
      if (isOwn) void client.invalidateQueries({ queryKey: sessionKey }).then(() => location.assign("/sign-in"));
    },
  });
  return (
    <Confirm
      title={`Remove ${member.name}?`}
      confirmLabel="Remove"
      isOpen
      onClose={onClose}
      onConfirm={() => removal.mutate(member.id)}
      isSaving={removal.isPending}
      error={removal.error}
    >
      Their past changes keep their name. Their sessions end within seconds.
      {isOwn && (
        <Text size="sm" mt="xs" fw={500}>
          This is you: you will be signed out.
        </Text>
      )}
    </Confirm>
  );
}
