import { BookOpen, FileJson } from 'lucide-react'
import { Link } from 'react-router'
import { apiRoot } from '../api/client.ts'
import { idempotencyHeader } from '../kit/curl.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Panel } from '../ui/Panel.tsx'
import { CodeBlock } from '../kit/CodeBlock.tsx'

/** How to begin with the API. */
export function ApiTab() {
  const root = new URL(apiRoot, location.origin).href
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Panel
        title="The API"
        end={
          <>
            <LinkButton as={Link} to="/docs" icon={BookOpen}>
              Browse and try
            </LinkButton>
            <a
              className="inline-flex items-center gap-1.5 text-fg-2 underline underline-offset-3"
              href={`${apiRoot}/openapi.json`}
              download
            >
              <FileJson size={14} aria-hidden />
              openapi.json
            </a>
          </>
        }
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-fg-2">
          <p>This console does everything through this API. A program can do the same with a key that has the permissions.</p>
          <CodeBlock label="first call" code={`curl '${root}/assets?page_size=5' \\\n  -H "X-Api-Key: $MASTHEAD_API_KEY"`} />
          <p>
            Give every write an <span className="mono">Idempotency-Key</span> of its own. If the response is lost and you send the write
            again, it takes effect once.
          </p>
          <CodeBlock
            label="write"
            code={`curl -X POST '${root}/tags' \\\n  -H "X-Api-Key: $MASTHEAD_API_KEY" \\\n  ${idempotencyHeader} \\\n  -H 'Content-Type: application/json' \\\n  -d '{"name":"field test"}'`}
          />
          <p>
            Every response says how many calls are left in this minute (<span className="mono">RateLimit-Remaining</span>) and in how many
            seconds the next one begins (<span className="mono">RateLimit-Reset</span>). Over the limit it is 429.
          </p>
        </div>
      </Panel>
      <Panel title="Any action as a curl command">
        <p className="text-fg-2">
          “Copy as curl” in a dialog, or “Copy the next action as curl” in the command palette (<kbd className="kbd">Ctrl K</kbd>, on a Mac{' '}
          <kbd className="kbd">⌘ K</kbd>), copies the call to the clipboard instead of making it.
        </p>
      </Panel>
    </div>
  )
}
