import { Play } from 'lucide-react'
import { useState } from 'react'
import { apiRoot, noResponse } from '../api/client.ts'
import { idempotencyHeader, quoted } from '../kit/curl.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { PasswordField, TextField } from '../ui/TextField.tsx'
import { exampleOf, takesKey, type Call } from './api-description.ts'
import { CodeBlock } from '../kit/CodeBlock.tsx'

/** The key typed here: in this page's memory and nowhere else. */
let typedKey = ''

/** Under which a write that is sent again happens once. */
const repeatKey = 'Idempotency-Key'

type Answer = { status: number; took: number; headers: string; text: string }
const shownHeaders = ['content-type', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after', 'x-request-id']

/** Makes the call for real, with a key that the reader types; the session of the console is left out of it. */
export function TryCall({ call }: { call: Call }) {
  const [key, setKey] = useState(typedKey)
  const [values, setValues] = useState<Record<string, string>>({})
  const json = call.requestBody?.content['application/json']
  const [body, setBody] = useState(() => (json ? JSON.stringify(exampleOf(json.schema), null, 2) : ''))
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [busy, setBusy] = useState(false)
  if (!takesKey(call)) return null
  const fields = call.parameters.filter((each) => each.in !== 'header' || each.name === repeatKey)
  const missing = fields.find(({ name, required }) => required && !values[name])
  const address = addressOf(call, values)
  const send = async () => {
    setBusy(true)
    setAnswer(await request(call, address, { key, body: json ? body : undefined, once: values[repeatKey] }))
    setBusy(false)
  }
  return (
    <Panel title="Try it" note={call.method === 'GET' ? 'Read only' : 'Makes real changes'}>
      <form
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <PasswordField
          label="API key"
          hint="Kept in this page until you close or reload it."
          placeholder="mhk_…"
          autoComplete="new-password"
          mono
          value={key}
          onChange={({ target }) => {
            typedKey = target.value.trim()
            setKey(typedKey)
          }}
        />
        {fields.length > 0 && (
          <div className="grid gap-3 side:grid-cols-2">
            {fields.map(({ name, required }) => (
              <TextField
                key={name}
                label={required ? `${name} (required)` : name}
                mono
                autoComplete="off"
                spellCheck={false}
                value={values[name] ?? ''}
                onChange={({ target }) => setValues({ ...values, [name]: target.value })}
              />
            ))}
          </div>
        )}
        {json && (
          <TextArea
            label="Body"
            mono
            rows={Math.min(14, body.split('\n').length + 1)}
            spellCheck={false}
            value={body}
            onChange={({ target }) => setBody(target.value)}
          />
        )}
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <CodeBlock label="curl command" code={curlLine(call, address, json ? body : undefined, values[repeatKey])} />
          <Button
            type="submit"
            color={call.method === 'GET' ? 'primary-solid' : 'success'}
            icon={Play}
            className="justify-self-start"
            loading={busy}
            disabled={!key ? 'Enter a key first' : missing ? `${missing.name} is required` : null}
          >
            Send
          </Button>
        </div>
      </form>
      {answer && <Answered answer={answer} />}
    </Panel>
  )
}

const Answered = ({ answer: { status, took, headers, text } }: { answer: Answer }) => (
  <section aria-label="Response" aria-live="polite" className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-2">
    {status === 0 ? (
      <FailureNotice of={noResponse} />
    ) : (
      <>
        <Notice tone={status < 400 ? 'ok' : 'warn'}>
          Response {status} in {took} ms
        </Notice>
        <pre tabIndex={0} aria-label="Response headers" className="mono overflow-x-auto text-xs text-fg-2">
          {headers}
        </pre>
        <div className="max-h-120 overflow-auto">
          <CodeBlock label="answer" code={text} />
        </div>
      </>
    )}
  </section>
)

function addressOf({ path, parameters }: Call, values: Record<string, string>): string {
  const below = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (values[name] ? encodeURIComponent(values[name]) : whole))
  const query = new URLSearchParams(
    parameters.filter((each) => each.in === 'query' && values[each.name]).map((each) => [each.name, values[each.name]!])
  )
  return `${new URL(apiRoot, location.origin).href}${below}${query.size ? `?${query.toString()}` : ''}`
}

const curlLine = ({ method }: Call, address: string, body: string | undefined, once: string | undefined) =>
  [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(address)}`,
    `-H "X-Api-Key: $MASTHEAD_API_KEY"`,
    ...(method === 'GET' ? [] : [once ? `-H ${quoted(`${repeatKey}: ${once}`)}` : idempotencyHeader]),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ')

type Sent = { key: string; body: string | undefined; once: string | undefined }

async function request({ method }: Call, address: string, { key, body, once }: Sent): Promise<Answer> {
  const started = performance.now()
  try {
    const reply = await fetch(address, {
      method,
      credentials: 'omit',
      headers: {
        'X-Api-Key': key,
        ...(once && { [repeatKey]: once }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    })
    const text = await reply.text()
    return {
      status: reply.status,
      took: Math.round(performance.now() - started),
      headers: shownHeaders.flatMap((name) => (reply.headers.has(name) ? [`${name}: ${reply.headers.get(name)}`] : [])).join('\n'),
      text: readable(text),
    }
  } catch {
    return { status: 0, took: 0, headers: '', text: '' }
  }
}

/** JSON with its lines; anything else as it came, its beginning. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text.slice(0, 20_000)
  }
}
