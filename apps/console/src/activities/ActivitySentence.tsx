import type { Activity } from '@masthead/contract/activities/activity'
import { Link } from 'react-router'

type ShownActivity = Pick<Activity, 'sentence_parts' | 'detail' | 'asset_id'>

/** A digest is told apart by its first characters; the whole of it is among the details. */
const shortened = (text: string) => text.replace(/(sha\d+:[0-9a-f]{12})[0-9a-f]{48,}([0-9a-f]{4})/g, '$1…$2')

/** What happened, in a sentence with its names in bold. The asset's name leads to it, unless all of it stands in a link (`plain`). */
export function ActivitySentence({
  activity: { sentence_parts, detail, asset_id },
  plain = false,
}: {
  activity: ShownActivity
  plain?: boolean
}) {
  return (
    <span className="min-w-0 wrap-anywhere text-fg-2">
      {sentence_parts.map(({ text, strong }, at) => {
        if (!strong) return text
        if (!plain && asset_id && text === detail.asset_name)
          return (
            <Link
              key={at}
              to={`/assets/${asset_id}`}
              className="font-medium text-fg underline decoration-line-2 underline-offset-3 hover:decoration-current"
            >
              {text}
            </Link>
          )
        return (
          <b key={at} className="font-medium text-fg">
            {shortened(text)}
          </b>
        )
      })}
    </span>
  )
}

/** What `actor` in the address is to show what somebody did, and how that is called among the filters. */
export const actorFilter = ({ email, robot }: Activity['actor']) => (robot ? `robot:${robot}` : email)
export const filteredWords = (actor: string) => actor.replace(/^robot:/, 'Robot ')

/** Who did it, in words. */
export function actorWords({ kind, email, key, robot }: Activity['actor']): string {
  if (kind === 'system') return 'Masthead'
  if (kind === 'staff') return `${email}, support staff`
  if (robot) return `Robot ${robot} of ${email}`
  if (key) return `${email}, by API key ${key}`
  return email
}
