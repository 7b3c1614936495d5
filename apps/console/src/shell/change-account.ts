import type { UserInfo } from '@masthead/contract/auth/user-info'
import { switchAccount } from '@masthead/contract/auth/operations'
import { useNavigate } from 'react-router'
import { call } from '../api/client.ts'
import { refreshUser, standing } from '../api/session.ts'
import { toast } from '../ui/toast.ts'
import { useShell } from './shell-state.ts'

const ownTeam = '/teams-redirect'

export type Team = { email: string; team_name: string; current: boolean }

/** The accounts one may work on: one's own first, then the teams one is a member of by name. */
export function teamsOf(user: Pick<UserInfo, 'email' | 'team_name' | 'acting_as'> & { member_of: Omit<Team, 'current'>[] }): Team[] {
  const acting = user.acting_as ?? user.email
  const others = user.member_of.toSorted((a, b) => a.team_name.localeCompare(b.team_name) || a.email.localeCompare(b.email))
  return [user, ...others].map(({ email, team_name }) => ({ email, team_name, current: email === acting }))
}

/** Switches to another account, by its owner's e-mail, and starts the console anew on it (spec §4). */
export function useChangeAccount() {
  const navigate = useNavigate()
  return async (email: string, to = ownTeam) => {
    // Before anything is switched: who stays is still where they were.
    if (!(await standing.mayLeave())) return
    useShell.setState({ switchingAccount: true })
    const result = await call(switchAccount, { body: { team_member_email: email } })
    if (result.ok) {
      // The guard lets one through as who one is there now.
      if (to !== ownTeam) await refreshUser()
      standing.moving = true
      await navigate(to)
      location.reload()
      return
    }
    useShell.setState({ switchingAccount: false })
    // spec §8: logged. And shown, or nothing would have happened for whoever pressed.
    console.error('Could not switch the account:', result.failure.detail)
    toast.failure(result.failure, { title: 'The account was not switched' })
  }
}
