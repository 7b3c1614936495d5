import { addNote, proveEmail, updateStaff, type CustomerDetails } from '@masthead/contract/backoffice/account-operations'
import { simStatuses, type SimStatus } from '@masthead/contract/assets/sim'
import { useState } from 'react'
import { Link } from 'react-router'
import { whyNotManage } from '@masthead/contract/backoffice/staff-rules'
import { isStaffPermission, staffPermissions } from '@masthead/contract/kernel/permission'
import { useSession } from '../../api/session.ts'
import { Bytes } from '../../kit/Bytes.tsx'
import { FormText } from '../../kit/FormField.tsx'
import { FormMultiSelect } from '../../kit/FormSelect.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { useOperationForm } from '../../kit/use-operation-form.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FailureNotice } from '../../ui/FailureNotice.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { PlainTable, TwoLines, type Column } from '../../ui/Table.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { Features, Groups } from './CustomerAccess.tsx'
import { FreeTest } from './FreeTest.tsx'
import { RegistryQuota } from './RegistryQuota.tsx'
import { useRefusal } from './use-refusal.ts'
import { ReasonModal } from '../ReasonModal.tsx'

/** Who they are, what they have, who works with them, and what staff noted. */
export function CustomerOverview({ customer }: { customer: CustomerDetails }) {
  return (
    <div className="grid items-start gap-4 @md:grid-cols-2">
      <div className="grid gap-4">
        <Panel title="Account">
          <Facts>
            <Fact label="Owner">{customer.email}</Fact>
            <Fact label="E-mail address">
              <EmailProven customer={customer} />
            </Fact>
            <Fact label="Last active">
              <RelativeTime at={customer.last_active_at} />
            </Fact>
            <Fact label="Second factor">
              {customer.second_factor ? 'On' : 'None'}
              {customer.second_factor_demanded && ', required of everybody'}
            </Fact>
            <Fact label="Used this month">
              <Bytes of={customer.bytes_this_month} />
            </Fact>
            <Fact label="Currency">{customer.currency}</Fact>
            <Fact label="Time zone">{customer.timezone}</Fact>
            <Fact label="SIMs">
              <span className="flex flex-wrap gap-x-4 gap-y-1">
                {Object.entries(customer.sim_statuses).map(([status, count]) =>
                  status === '' ? (
                    <span key="none">{count.toLocaleString('en')} without a SIM</span>
                  ) : (
                    <StatusDot
                      key={status}
                      status={status as SimStatus}
                      label={`${count.toLocaleString('en')} ${simStatuses[status as SimStatus].toLowerCase()}`}
                    />
                  )
                )}
                {customer.assets === 0 && '—'}
              </span>
            </Fact>
          </Facts>
        </Panel>
        <Panel
          title="Team"
          note={`${customer.team.length} ${customer.team.length === 1 ? 'member' : 'members'}, ${customer.invitations.length} invited`}
          flush
          className="overflow-clip"
        >
          <PlainTable
            label="Team"
            columns={teamColumns}
            rows={teamOf(customer)}
            rowId={(row) => row.email}
            empty={<EmptyState title="No data found">The team has no members besides the owner.</EmptyState>}
          />
        </Panel>
      </div>
      <div className="grid gap-4">
        <Features customer={customer} />
        <Groups customer={customer} />
        <FreeTest customer={customer} />
        <RegistryQuota customer={customer} />
        <StaffAccess customer={customer} />
        <Notes customer={customer} />
      </div>
    </div>
  )
}

const provenBy = {
  mail: 'Confirmed by an e-mailed link',
  provider: 'Confirmed by the identity provider',
  staff: 'Confirmed by staff',
  before: 'Not required: the account was created before this rule',
}

/** Whether the owner's address is known to be theirs; staff can say so. */
function EmailProven({ customer }: { customer: CustomerDetails }) {
  const { email, email_proven } = customer
  const [asking, setAsking] = useState(false)
  const refused = useRefusal(customer)
  if (email_proven) return provenBy[email_proven.by]
  return (
    <span className="flex flex-wrap items-center gap-2">
      Not confirmed
      <Button size="small" disabled={refused} onClick={() => setAsking(true)}>
        Confirm
      </Button>
      <ReasonModal
        open={asking}
        onClose={() => setAsking(false)}
        title="Confirm the e-mail address?"
        operation={proveEmail}
        params={{ email }}
        submit="Confirm"
        hint="How you know that it is theirs. The customer sees it in their activities."
      >
        <p>
          You confirm that <b className="font-medium text-fg wrap-anywhere">{email}</b> belongs to the owner of this account. They can then
          accept invitations sent to it.
        </p>
      </ReasonModal>
    </span>
  )
}

type Member = { email: string; state: string; about: string }
const teamOf = ({ team, invitations, member_of }: CustomerDetails): Member[] => [
  ...team.map(({ email, permissions, tags, second_factor }) => ({
    email,
    state: 'Member',
    about: `${permissions.length === 1 ? '1 permission' : `${permissions.length} permissions`}${tags.length > 0 ? `, limited to ${tags.join(', ')}` : ''}${second_factor ? '' : ', no second factor'}`,
  })),
  ...invitations.map(({ email }) => ({ email, state: 'Invited', about: 'Has not answered yet' })),
  ...member_of.map(({ email, team_name }) => ({ email, state: 'Works for', about: team_name })),
]
const teamColumns: Column<Member>[] = [
  {
    id: 'email',
    header: 'E-mail',
    list: 'title',
    cell: ({ email, about, state }) => (
      <TwoLines
        first={
          state === 'Invited' ? (
            email
          ) : (
            <Link className="hover:underline" to={`/masa/accounts/${encodeURIComponent(email)}`}>
              {email}
            </Link>
          )
        }
        second={about}
      />
    ),
  },
  { id: 'state', header: 'Role', width: 96, list: 'aside', cell: ({ state }) => state },
]

function StaffAccess({ customer: { email, staff_permissions, for_others } }: { customer: CustomerDetails }) {
  const [asking, setAsking] = useState(false)
  const user = useSession((session) => session.user)
  const own = user?.permissions ?? []
  const refused =
    user?.email === email
      ? 'Another member of staff has to change yours'
      : whyNotManage(own, { email, permissions: staff_permissions, for_others })
  const words = (name: string) => (isStaffPermission(name) ? staffPermissions[name] : name)
  return (
    <Panel
      title="Staff permissions"
      end={
        <Button size="small" aria-label="Change: Staff permissions" disabled={refused} onClick={() => setAsking(true)}>
          Change
        </Button>
      }
    >
      {staff_permissions.length === 0 ? (
        <p className="text-fg-2">None: this is a customer.</p>
      ) : (
        <p>{staff_permissions.map(words).join(', ')}</p>
      )}
      <FormModal
        open={asking}
        onClose={() => setAsking(false)}
        title={`Staff permissions of ${email}`}
        operation={updateStaff}
        values={{ permissions: staff_permissions.filter(isStaffPermission), reason: '' }}
        input={(body) => ({ params: { email }, body })}
        submit="Save"
      >
        <FormMultiSelect
          name="permissions"
          label="Permissions"
          placeholder="None"
          options={Object.entries(staffPermissions).map(([value, label]) => ({ value, label, disabled: !own.includes(value) }))}
          hint="You can grant and revoke only permissions that you have yourself. Changes apply from their next request. The other permissions need “Use the backoffice” as well."
        />
        <FormText name="reason" label="Reason" />
      </FormModal>
    </Panel>
  )
}

function Notes({ customer }: { customer: CustomerDetails }) {
  return (
    <Panel title="Notes" note="for staff only">
      <NoteForm email={customer.email} />
      {customer.notes.length > 0 && (
        <ul className="mt-4 grid gap-3 border-t border-line pt-3">
          {customer.notes.map((note) => (
            <li key={note.id} className="grid gap-0.5">
              <span className="whitespace-pre-wrap wrap-anywhere">{note.text}</span>
              <span className="text-xs text-fg-3">
                {note.by}, <RelativeTime at={note.created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function NoteForm({ email }: { email: string }) {
  const { form, submit, failure, submitting } = useOperationForm(addNote, {
    values: { text: '' },
    input: (body) => ({ params: { email }, body }),
    onDone: () => {
      form.reset()
    },
  })
  return (
    <form className="grid gap-2" noValidate onSubmit={(event) => void submit(event)}>
      <TextArea
        label="Note"
        hideLabel
        rows={2}
        placeholder="Information for colleagues"
        {...form.register('text')}
        error={form.formState.errors.text?.message}
      />
      {failure && <FailureNotice of={failure} />}
      <Button type="submit" className="justify-self-start" loading={submitting}>
        Add note
      </Button>
    </form>
  )
}
