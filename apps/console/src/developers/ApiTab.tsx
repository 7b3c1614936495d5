import { BookOpen, FileJson } from 'lucide-react'
import { Link } from 'react-router'
import { apiRoot } from '../api/client.ts'
import { idempotencyHeader } from '../kit/curl.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Panel } from '../ui/Panel.tsx'
import { CodeBlock } from './CodeBlock.tsx'

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
          <p>Whatever this console does, it does by this API, and so can a program with a key that may it.</p>
          <CodeBlock label="first call" code={`curl '${root}/assets?page_size=5' \\\n  -H "X-Api-Key: $MASTHEAD_API_KEY"`} />
          <p>
            Give every write an <span className="mono">Idempotency-Key</span> of its own: sent again after a lost answer, it happens once.
          </p>
          <CodeBlock
            label="write"
            code={`curl -X POST '${root}/tags' \\\n  -H "X-Api-Key: $MASTHEAD_API_KEY" \\\n  ${idempotencyHeader} \\\n  -H 'Content-Type: application/json' \\\n  -d '{"name":"field test"}'`}
          />
          <p>
            Every answer says how many calls of this minute are left (<span className="mono">RateLimit-Remaining</span>) and in how many
            seconds the next begins (<span className="mono">RateLimit-Reset</span>). Beyond the limit it is 429.
          </p>
        </div>
      </Panel>
      <Panel title="Any action as a curl line">
        <p className="text-fg-2">
          “Copy as curl” in a dialog, or “Copy the next action as curl” in the command palette (<kbd className="kbd">Ctrl K</kbd>, on a Mac{' '}
          <kbd className="kbd">⌘ K</kbd>), puts the call on the clipboard instead of making it.
        </p>
      </Panel>
    </div>
  )
}
