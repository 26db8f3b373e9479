import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
import { read } from "../api/query.ts";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { nameOfStyleGuide } from "../style-guides/style-guide-name.ts";
import { firstStyleGuides } from "../style-guides/style-guide-requests.ts";
import { Detail } from "../ui/detail.tsx";
import { words } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { type DefinitionDraft, draftOf, settingsOf } from "./definition-draft.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { type Definition, getDefinition, refreshedByDefinitions, updateDefinition } from "./definition-requests.ts";
import { definitionsParent } from "./definitions-parent.ts";

const route = getRouteApi("/signed-in/definitions/$definitionId/edit");

export default function EditDefinitionPage() {
  const { definitionId } = route.useParams();
  return (
    <Detail request={getDefinition(definitionId)} title="Edit definition" parent={definitionsParent}>
      {({ data }, loaded) => <EditDefinition key={data.id} loaded={loaded} />}
    </Detail>
  );
}

const field = fieldFor<DefinitionDraft>();

function EditDefinition({ loaded }: { readonly loaded: Loaded<{ readonly data: Definition }> }) {
  const { id, name } = loaded.body.data;
  const navigate = useNavigate();
  const guides = useQuery(read(firstStyleGuides)).data?.data ?? [];
  const guideChoices = guides.map((guide) => ({ value: guide.id, label: nameOfStyleGuide(guide) }));
  const edit = useEdit({
    loaded,
    draftOf: ({ data }) => draftOf(data),
    fields: [
      field("name", "Name"),
      field("criterion", "Criterion"),
      field("groundTruth", "Ground truth"),
      field("styleGuideId", "Style guide", chosenFrom(guideChoices)),
      field("comparison", "Compares", (comparison) => (comparison === "list" ? "A list of items" : "One text")),
      field("matchMode", "Matches", (mode) => words(mode.toUpperCase())),
      field("scoreMetric", "Score", (metric) => words(metric.toUpperCase())),
      field("passThreshold", "Passes from"),
      field("extract", "Compare only what a pattern finds in the answer", (extract) =>
        extract === null ? "No" : `Pattern: ${extract.pattern}\nFlags: ${extract.flags}\nGroup: ${extract.group}`,
      ),
    ],
    // Settings that are left out stay as they were: none is an empty object.
    makeRequest: (draft) => updateDefinition({ id, name: draft.name, globalConfig: {}, ...settingsOf(draft) }),
    refreshes: refreshedByDefinitions,
    onSaved: () => void navigate({ to: "/definitions/$definitionId", params: { definitionId: id } }),
  });
  return (
    <Page title={`Edit ${name}`} parent={definitionsParent} requests={[getDefinition(id)]}>
      <DefinitionEditor
        draft={edit.draft}
        onDraft={edit.set}
        definitionId={id}
        onSave={edit.save}
        isSaving={edit.isPending}
        error={edit.error}
        edit={edit.view}
      />
    </Page>
  );
}
