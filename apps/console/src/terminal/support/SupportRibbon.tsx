import { useQuery } from '@tanstack/react-query'
import { formatClock, formatExactHere } from '@masthead/contract/kernel/time'
import type { SupportAccess } from '@masthead/contract/terminal/support'
import { endSupport, listSupport } from '@masthead/contract/terminal/support-operations'
import { useState } from 'react'
import { Link } from 'react-router'
import { q } from '../../api/query.ts'
import { ActionButton, useDenied } from '../../kit/ActionButton.tsx'
import { useClock } from '../../kit/clock.ts'
import { later } from '../../kit/later.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Notice } from '../../ui/Notice.tsx'

const EndAccess = later(() => import('./EndAccess.tsx').then((file) => file.EndAccess))

const standing = { state: ['allowed' as const], page_size: 10 }

/** At the foot of every screen, visible wherever one reads, while support may use a device: who, which, until when, and the way to end it. */
export function SupportRibbon() {
  const denied = useDenied()(listSupport)
  const { data } = useQuery({ ...q(listSupport, { query: standing }), enabled: denied === null })
  if (!data || data.items.length === 0) return null
  return (
    <div className="sticky bottom-0 z-15 border-t border-info-line bg-bg">
      {data.items.map((access) => (
        <Ribbon key={access.id} access={access} />
      ))}
    </div>
  )
}

function Ribbon({ access }: { access: SupportAccess }) {
  const { staff, asset_id, asset_name, until, terminals } = access
  const [ending, setEnding] = useState(false)
  const over = useClock((now) => now >= Date.parse(until))
  if (over) return null
  const open = terminals.find(({ state }) => state === 'open')
  return (
    <Notice
      tone="info"
      strip
      action={
        <span className="flex flex-wrap gap-2">
          {open && (
            <LinkButton as={Link} size="small" to={`/terminal?session=${open.id}`}>
              Watch
            </LinkButton>
          )}
          <ActionButton operation={endSupport} size="small" color="danger-quiet" onClick={() => setEnding(true)}>
            End
          </ActionButton>
        </span>
      }
    >
      <b className="font-medium">{staff}</b> of support {open ? 'is connected to' : 'may use the terminal of'}{' '}
      <Link className="link" to={`/assets/${asset_id}/device`}>
        {asset_name}
      </Link>
      , until {timeOf(until)}.{ending && <EndAccess access={access} onClose={() => setEnding(false)} />}
    </Notice>
  )
}

/** "12:40" where it is today, else with its day. */
function timeOf(at: string): string {
  const time = new Date(at)
  return time.toDateString() === new Date().toDateString() ? formatClock(time.getHours(), time.getMinutes()) : formatExactHere(at)
}
