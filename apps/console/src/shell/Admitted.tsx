import { useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '../api/session.ts'
import { later } from '../kit/later.tsx'
import { Banner } from '../ui/Banner.tsx'
import { useChangeAccount } from './change-account.ts'
import { useAccount } from './use-account.ts'

const LacksFactor = later(() => import('../account/LacksFactor.tsx').then((file) => file.LacksFactor))

/**
 * The screen, unless the account demands a second factor first. One's own profile, the help and the backoffice, which asks for its own,
 * stay. `title` is of a screen that draws its banner itself.
 */
export function Admitted({ title, children }: { title: string | null; children: ReactNode }) {
  const account = useAccount()
  const { pathname } = useLocation()
  const user = useSession((session) => session.user)
  const change = useChangeAccount()
  // While a dialog about it is open it stays: recovery codes are shown once.
  const [doing, setDoing] = useState<'missing' | 'unproved' | null>(null)
  const lacks = doing ?? account?.lacks_factor
  if (!account || !lacks || (user?.acting_as ? open : openToOneself).test(pathname)) return children
  return (
    <>
      {title && <Banner title={title} />}
      <LacksFactor
        team={user?.acting_as ? account.team_name : null}
        lacks={lacks}
        open={doing !== null}
        onOpen={(opened) => setDoing(opened ? lacks : null)}
        onBack={user?.acting_as ? () => void change(user.email, '/profile') : null}
      />
    </>
  )
}

const open = /^\/(faq|community|contact)$/
const openToOneself = /^\/(faq|community|contact|profile|masa(\/.*)?)$/
