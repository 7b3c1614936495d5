import { ArrowLeft } from 'lucide-react'
import { apiRoot } from '../api/client.ts'
import { Icon } from '../ui/Icon.tsx'
import { JsonView } from '../ui/JsonView.tsx'
import { Panel } from '../ui/Panel.tsx'
import { accessWords, kindWords, type Call } from './api-description.ts'
import { Method } from './Method.tsx'
import { TryCall } from './TryCall.tsx'

/** One call: who may make it, what it takes and answers, and a form to make it. */
export function CallDetail({ call, onBack }: { call: Call; onBack: () => void }) {
  const [body] = Object.values(call.requestBody?.content ?? {})
  const done = Object.values(call.responses['200']?.content ?? {})[0]?.schema
  return (
    <article aria-labelledby="call-name" className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <button
        type="button"
        className="inline-flex items-center gap-1.5 justify-self-start text-fg-2 hover:text-fg nav:hidden"
        onClick={onBack}
      >
        <Icon of={ArrowLeft} size={14} />
        All calls
      </button>
      <div className="grid gap-1">
        <h2 id="call-name" className="tight text-lg font-semibold">
          {call.summary}
        </h2>
        <p className="flex flex-wrap items-baseline gap-x-1">
          <Method of={call.method} />
          <code className="mono wrap-anywhere">
            {apiRoot}
            {call.path}
          </code>
        </p>
        <p className="text-fg-2">{accessWords(call)}</p>
      </div>
      <TryCall call={call} />
      {call.parameters.length > 0 && (
        <Panel title="Parameters">
          <dl className="grid gap-x-4 gap-y-2 side:grid-cols-[220px_minmax(0,1fr)]">
            {call.parameters.map(({ name, in: place, required, schema }) => (
              <div key={`${place} ${name}`} className="contents">
                <dt className="mono wrap-anywhere">
                  {name}
                  {required && <span className="font-sans text-xs text-fg-3"> required</span>}
                </dt>
                <dd className="text-fg-2 wrap-anywhere">
                  {kindWords(schema)}
                  {schema.default !== undefined && `, ${String(schema.default)} unless given`}
                  <span className="text-fg-3">, in the {place}</span>
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
      {body && (
        <Panel title="Body">
          <JsonView label="Body schema" value={body.schema as never} open={2} />
        </Panel>
      )}
      <Panel title="Responses">
        <div className="grid gap-4">
          <dl className="grid gap-x-4 gap-y-2 side:grid-cols-[80px_minmax(0,1fr)]">
            {Object.entries(call.responses).map(([status, { description }]) => (
              <div key={status} className="contents">
                <dt className="mono font-medium">{status}</dt>
                <dd className="text-fg-2">{description.replaceAll('`', '')}</dd>
              </div>
            ))}
          </dl>
          {done && <JsonView label="Response schema" value={done as never} open={1} />}
        </div>
      </Panel>
    </article>
  )
}
