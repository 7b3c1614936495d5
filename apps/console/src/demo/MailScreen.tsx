import { useQuery } from '@tanstack/react-query'
import { listMail, mostMail, type DemoMail } from '@masthead/contract/demo/operations'
import { Mail } from 'lucide-react'
import { q } from '../api/query.ts'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'

/** What the demo would have mailed if it had a mail server. */
export default function MailScreen() {
  // Mail has no event: it is asked for while one looks.
  const { data, error, refetch } = useQuery({ ...q(listMail, {}), refetchInterval: 2000 })
  if (error && !data) return <ErrorState title="The mail could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={6} />
  if (data.items.length === 0)
    return (
      <EmptyState icon={Mail} title={data.shown ? 'No mail yet' : 'No mail is kept here'}>
        {data.shown
          ? 'Invitations, confirmations and password links that the demo would mail appear here.'
          : 'This installation sends its mail, or is not a demo.'}
      </EmptyState>
    )
  return (
    <div className="grid max-w-[80ch] gap-4">
      <ul className="grid gap-4">
        {data.items.map((mail) => (
          <li key={mail.id}>
            <Letter {...mail} />
          </li>
        ))}
      </ul>
      {data.items.length === mostMail && <p className="text-fg-3">The newest {mostMail} are listed, and none that is older.</p>}
    </div>
  )
}

const Letter = ({ to, subject, text, created_at }: DemoMail) => (
  <Panel oneOfMany title={<span className="whitespace-normal wrap-anywhere">{subject}</span>} end={<RelativeTime at={created_at} />}>
    <p className="mb-2 text-xs text-fg-3 wrap-anywhere">To {to}</p>
    <p className="whitespace-pre-line wrap-anywhere">{withLinks(text)}</p>
  </Panel>
)

/** The links of a mail lead into this console, so they are followed here, whatever its address. */
const withLinks = (text: string) =>
  text.split(/(https?:\/\/\S+)/).map((part, index) => {
    const inside = index % 2 === 1 ? part.indexOf('/#/') : -1
    return inside < 0 ? (
      part
    ) : (
      <a key={index} className="link" href={part.slice(inside + 1)}>
        {part}
      </a>
    )
  })
