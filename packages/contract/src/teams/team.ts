import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'
import { permissions, type Permission } from '../kernel/permission.ts'
import { TagColor } from '../tags/tag.ts'

/** How many members and invitations together an account can have. */
export const mostMembers = 200
/** An invitation can be answered for so long. */
export const invitationDays = 7

export const permissionNames = Object.keys(permissions) as Permission[]

/** Permissions granted on a membership, each once, in the order in which they are shown everywhere. */
export const Granted = z.pipe(
  z
    .array(z.enum(permissionNames, { error: (issue) => `There is no permission “${String(issue.input).slice(0, 60)}” to grant` }))
    .check(z.maxLength(200)),
  z.transform((names) => permissionNames.filter((name) => names.includes(name)))
)

const TeamTag = z.object({ id: z.string(), name: z.string(), color: TagColor })

const granted = {
  email: z.string(),
  permissions: z.array(z.string()),
  /** Limited to assets that have one of the tags; without a limit all assets are seen. */
  limited: z.boolean(),
  /** Those the asker may know of. */
  tags: z.array(TeamTag),
  /** How many more there are. */
  hidden_tags: z.int(),
  invited_by: z.nullable(z.string()),
  /** Why the asker cannot change or remove them, in words; null: they can. */
  fixed: z.nullable(z.string()),
}

/** Whether they can prove more than a password: by an app or a passkey. Null for programs, which do not learn it. */
const SecondFactor = z.nullable(z.boolean())

/** What a person is called; null: not known. Whose an invited address is, is not said. */
const PersonName = z.nullable(z.string())

export const TeamMember = z.object({
  ...granted,
  name: PersonName,
  invited_at: z.nullable(Time),
  joined_at: Time,
  /** When they last did something on this account. */
  last_active_at: z.nullable(Time),
  second_factor: SecondFactor,
})
export type TeamMember = z.output<typeof TeamMember>

export const TeamInvitation = z.object({
  ...granted,
  invited_at: Time,
  expires_at: Time,
  /** Its days are over: it can only be sent anew or taken back. */
  expired: z.boolean(),
})
export type TeamInvitation = z.output<typeof TeamInvitation>

export const Team = z.object({
  owner: z.object({
    email: z.string(),
    name: PersonName,
    team_name: z.string(),
    last_active_at: z.nullable(Time),
    second_factor: SecondFactor,
  }),
  /** Everybody who acts on the account must have a second factor. */
  second_factor_demanded: z.boolean(),
  members: z.array(TeamMember),
  invitations: z.array(TeamInvitation),
  /** What the asker may grant to others: nobody can give what they do not have. */
  grantable: z.array(z.string()),
  /** The asker sees assets of some tags alone, and can only let others see some of these. */
  must_limit: z.boolean(),
  /** The tags that they can be limited to. */
  choices: z.array(TeamTag),
})
export type Team = z.output<typeof Team>

/** What a membership or an invitation lets a person do, as that person reads it. `email` is the owner's. */
const offered = {
  email: z.string(),
  team_name: z.string(),
  permissions: z.array(z.string()),
  limited: z.boolean(),
  /** Names of the tags that limit which assets are seen. */
  tags: z.array(z.string()),
}

export const Invitation = z.object({ ...offered, invited_by: z.string(), invited_at: Time, expires_at: Time })
export type Invitation = z.output<typeof Invitation>
export const Membership = z.object({ ...offered, joined_at: Time })
export type Membership = z.output<typeof Membership>
