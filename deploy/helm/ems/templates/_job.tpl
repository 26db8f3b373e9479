{{- /* Pods that end: migrations and `helm test`. */ -}}

{{- /* The values of such a pod: where components run by default, what injects sidecars left out, its own: (list root values) */ -}}
{{- define "ems.jobPod" -}}
{{- $root := index . 0 -}}
{{- $own := index . 1 -}}
{{- $shared := list "podAnnotations" "podLabels" "nodeSelector" "tolerations" "affinity" "priorityClassName" "extraVolumes" "extraVolumeMounts" "extraInitContainers" -}}
{{- $pod := dict -}}
{{- range $shared -}}{{- $_ := set $pod . (index $root.Values.defaults .) -}}{{- end -}}
{{- $pod = deepCopy $pod -}}
{{- if not $own.sidecar.inject -}}
{{- $_ := set $pod "podLabels" (mustMergeOverwrite $pod.podLabels (dict "sidecar.istio.io/inject" "false" "kuma.io/sidecar-injection" "disabled")) -}}
{{- $_ := set $pod "podAnnotations" (mustMergeOverwrite $pod.podAnnotations (dict "linkerd.io/inject" "disabled" "consul.hashicorp.com/connect-inject" "false")) -}}
{{- end -}}
{{- toYaml (mustMergeOverwrite $pod (deepCopy $own.pod)) -}}
{{- end -}}

{{- /* (list root name pod) */ -}}
{{- define "ems.jobPodLabels" -}}
{{- toYaml (mustMergeOverwrite (deepCopy (index . 0).Values.commonLabels) (deepCopy (index . 2).podLabels) (include "ems.selector" (list (index . 0) (index . 1)) | fromYaml)) -}}
{{- end -}}

{{- /* The fields of a pod's spec that all share, without those of its containers: (list root pod) */ -}}
{{- define "ems.jobPodSpec" -}}
{{- $root := index . 0 -}}
{{- $pod := index . 1 -}}
serviceAccountName: {{ include "ems.serviceAccountName" $root }}
automountServiceAccountToken: false
enableServiceLinks: false
restartPolicy: Never
{{- with include "ems.imagePullSecrets" $root }}
{{ trim . }}
{{- end }}
securityContext:
  {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
{{- with $pod.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $pod.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pod.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pod.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* Variables of lists, each name once: the last list that has it wins, in the place of the first. (list variables …) */ -}}
{{- define "ems.mergedEnv" -}}
{{- $names := list -}}
{{- $byName := dict -}}
{{- range $variables := . -}}
{{- range $variables -}}
{{- if not (hasKey $byName .name) -}}{{- $names = append $names .name -}}{{- end -}}
{{- $_ := set $byName .name . -}}
{{- end -}}
{{- end -}}
{{- range $names }}
{{ toYaml (list (index $byName .)) }}
{{- end -}}
{{- end -}}
