import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useChange } from "../api/query.ts";
import { Detail } from "../ui/detail.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { StyleGuideForm } from "./style-guide-form.tsx";
import { getStyleGuide, refreshedByStyleGuides, type StyleGuide, updateStyleGuide } from "./style-guide-requests.ts";
import { styleGuidesParent } from "./style-guides-parent.ts";

const route = getRouteApi("/signed-in/style-guides/$styleGuideId/edit");

export default function EditStyleGuidePage() {
  const { styleGuideId } = route.useParams();
  return (
    <Detail request={getStyleGuide(styleGuideId)} title="Edit style guide" parent={styleGuidesParent}>
      {({ data }) => <EditStyleGuide key={data.id} guide={data} />}
    </Detail>
  );
}

function EditStyleGuide({ guide: { id, content } }: { readonly guide: StyleGuide }) {
  const navigate = useNavigate();
  const there = { to: "/style-guides/$styleGuideId", params: { styleGuideId: id } } as const;
  const { mutate, isPending, error } = useChange(updateStyleGuide, {
    refreshes: refreshedByStyleGuides,
    onDone: () => void navigate(there),
  });
  return (
    <Page title="Edit style guide" parent={styleGuidesParent} requests={[getStyleGuide(id)]}>
      <StyleGuideForm
        initial={content}
        operation="PUT /v0/style-guides/{id}"
        submitLabel="Save"
        cancel={
          <ButtonLink {...there} variant="default">
            Cancel
          </ButtonLink>
        }
        onSave={(sections) => mutate({ id, content: sections })}
        isSaving={isPending}
        error={error}
      />
    </Page>
  );
}
