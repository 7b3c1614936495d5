import { categoriesRead, eventCategories, readingPermissions } from '@masthead/contract/event-reading'
import { Link } from 'react-router'
import { mayUser } from '../api/may.ts'
import { useSession } from '../api/session.ts'
import { categories } from './activity-days.ts'

const inOneList = new Intl.ListFormat('en')
const labelOf = (category: string) => {
  const { label } = categories.find(({ value }) => value === category)!
  return label.startsWith('CORE') ? label : label.toLowerCase()
}

/** Says to whoever may not read of everything of what they do. */
export function ReadingNote() {
  const user = useSession((session) => session.user)
  const read = categoriesRead(Object.values(readingPermissions).filter((permission) => mayUser(user, permission)))
  if (!user || read.length === eventCategories.length) return null
  return (
    <p className="pb-3 text-xs text-pretty text-fg-3">
      You see what you did yourself{read.length > 0 && `, and activities of ${inOneList.format(read.map(labelOf))}`}.{' '}
      <Link to="/faq?question=activities-seen" className="underline underline-offset-3">
        Why not everything?
      </Link>
    </p>
  )
}
