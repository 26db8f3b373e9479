{{- /* Names, labels and the image. */ -}}

{{- define "ems.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- /* At most 40 characters, so that what follows a name fits into a label's 63. */ -}}
{{- define "ems.fullname" -}}
{{- $name := include "ems.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "ems.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: ems
{{ include "ems.instance" . }}
{{- end -}}

{{- /* What selects every pod of the release. */ -}}
{{- define "ems.instance" -}}
app.kubernetes.io/name: {{ include "ems.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- /* What selects the pods of one component: (list root name). */ -}}
{{- define "ems.selector" -}}
{{ include "ems.instance" (index . 0) }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "ems.image" -}}
{{- $tag := default .Chart.AppVersion .Values.image.tag -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository $tag -}}
{{- end -}}
{{- end -}}

{{- define "ems.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "ems.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- /* The name under which processes find a service: whole, so that it is asked for as it is. (list root name) */ -}}
{{- define "ems.host" -}}
{{- $root := index . 0 -}}
{{- printf "%s-%s.%s.svc.%s" (include "ems.fullname" $root) (index . 1) $root.Release.Namespace $root.Values.clusterDomain -}}
{{- end -}}

{{- /* The table of processes, from deploy/mesh.ts. */ -}}
{{- define "ems.mesh" -}}
{{- .Files.Get "files/mesh.yaml" -}}
{{- end -}}

{{- /* The values of one component: defaults, and its own in their place. (list root name) */ -}}
{{- define "ems.component" -}}
{{- $root := index . 0 -}}
{{- $own := index $root.Values.components (index . 1) | default dict -}}
{{- $merged := mustMergeOverwrite (deepCopy $root.Values.defaults) (deepCopy $own) -}}
{{- /* What asks for the one of two budgets does not want the default's other. */ -}}
{{- $budget := $own.podDisruptionBudget | default dict -}}
{{- range $asked, $other := dict "minAvailable" "maxUnavailable" "maxUnavailable" "minAvailable" -}}
{{- if and (hasKey $budget $asked) (not (hasKey $budget $other)) -}}
{{- $_ := set $merged "podDisruptionBudget" (omit $merged.podDisruptionBudget $other) -}}
{{- end -}}
{{- end -}}
{{- toYaml $merged -}}
{{- end -}}

{{- /* Settings of one component by variable: everybody's that it knows, the defaults', its own. (list root name process) */ -}}
{{- define "ems.settings" -}}
{{- $root := index . 0 -}}
{{- $component := include "ems.component" (list $root (index . 1)) | fromYaml -}}
{{- $known := (index . 2).settings -}}
{{- $settings := dict -}}
{{- range $from := list $root.Values.settings $root.Values.defaults.settings $component.settings -}}
{{- range $name, $value := $from -}}
{{- if has $name $known -}}
{{- $_ := set $settings $name (ternary $value (toJson $value) (kindIs "string" $value)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{- /* Seconds from SIGTERM to the end: the delay before draining, the 20 of a shutdown, and some to spare. (dict of settings) */ -}}
{{- define "ems.graceSeconds" -}}
{{- $delayMs := get . "DRAIN_DELAY_MS" | default "5000" | int -}}
{{- add (div (add $delayMs 999) 1000) 25 -}}
{{- end -}}
