import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAddressState } from '../kit/use-address-state.ts'
import { Accordion } from '../ui/Accordion.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { findQuestions } from './find-questions.ts'
import type { Question } from './question.ts'

/** `q` is what is looked for, `question` the one that is open. */
const defaults = { q: '', question: '' }

export default function FaqScreen() {
  const [{ q, question: chosen }, change] = useAddressState(defaults)
  const [asked] = useState(chosen)
  const groups = findQuestions(q)
  const count = groups.reduce((sum, { questions }) => sum + questions.length, 0)
  // The only answer there is needs no click.
  const open = chosen || (q && count === 1 ? groups[0]!.questions[0]!.id : '')
  return (
    <div className="max-w-[760px]">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-5">
        <div className="min-w-72 flex-1">
          <SearchField
            value={q}
            onChange={(text) => change({ q: text.trim(), question: '' })}
            label="Search the questions"
            placeholder="SIM blocked, usage, API key …"
            hotkey
          />
        </div>
        <p role="status" className="text-xs text-fg-3">
          {count === 1 ? '1 question' : `${count} questions`}
        </p>
      </div>
      {count === 0 ? (
        <EmptyState
          icon={SearchX}
          title="No question matches"
          actions={<Button onClick={() => change({ q: '' })}>Show all questions</Button>}
        >
          Nothing found for “{q}”. Try other words, or ask under{' '}
          <Link to="/contact" className="underline underline-offset-3">
            Contact
          </Link>
          .
        </EmptyState>
      ) : (
        <div className="grid gap-6">
          {groups.map(({ title, questions }) => (
            <section key={title} aria-label={title}>
              <h2 className="pb-2 text-md font-semibold">{title}</h2>
              <Accordion
                items={questions.map((one) => ({
                  id: one.id,
                  title: one.question,
                  content: <Answer {...one} {...(one.id === asked && { ref: scrollTo })} />,
                }))}
                open={questions.some(({ id }) => id === open) ? [open] : []}
                onChange={([id = '']) => change({ question: id })}
              />
            </section>
          ))}
        </div>
      )}
    </div>
  )
}

/** Who comes by a link to a question finds it, however far down it is; after the router has put the new screen at its top. */
const scrollTo = (answer: HTMLElement | null) => {
  if (answer) requestAnimationFrame(() => answer.scrollIntoView({ block: 'center' }))
}

const Answer = ({ answer, links = [], ref }: Question & { ref?: (element: HTMLElement | null) => void }) => (
  <div ref={ref} className="grid max-w-[68ch] gap-2 text-pretty">
    {answer.map((words) => (
      <p key={words}>{words}</p>
    ))}
    {links.length > 0 && (
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {links.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className="font-medium text-fg underline decoration-line-2 underline-offset-3 hover:decoration-current">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    )}
  </div>
)
