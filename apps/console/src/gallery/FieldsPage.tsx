import { Mail, Search } from 'lucide-react'
import { useState } from 'react'
import { DateField } from '../ui/DateField.tsx'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { NumberField } from '../ui/NumberField.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { PasswordField, TextField } from '../ui/TextField.tsx'
import { Grid, Section } from './Specimen.tsx'

export const today = '2026-11-21'

export function FieldsPage() {
  return (
    <>
      <Section title="Text" about="The label above, what to know below; what is wrong takes its place, in words.">
        <Grid>
          <TextField label="Name" placeholder="reefer-truck-0149" hint="Shown everywhere in place of the ICCID." />
          <TextField label="Email" type="email" icon={Mail} defaultValue="o.keller@acme.example" aside="optional" />
          <PasswordField label="Password" autoComplete="current-password" defaultValue="not-a-secret" />
          <TextField label="Serial number or ICCID" mono defaultValue="8931082017004430" error="16 of 19 digits." />
          <TextField label="Set by the package" disabled defaultValue="25 GB" />
          <TextField label="Small" size="small" icon={Search} placeholder="Find" />
          <TextField label="Large, for sign-in" size="large" placeholder="you@company.example" />
          <TextField label="Count" type="number" defaultValue={3} />
          <TextArea label="Note" hint="For your team." rows={3} defaultValue="Second shelf, behind the door." />
        </Grid>
      </Section>
      <Section
        title="Number"
        about="Digits, one decimal point, at most two decimals; an optionally negative number can be pasted. Up and Down step; it is clamped when the field is left."
      >
        <Numbers />
      </Section>
      <Section title="Search" about="Escape empties it; a slash from anywhere on the screen goes to it.">
        <Searches />
      </Section>
      <Section
        title="Dates"
        about="From 20 years before to 50 after this one; weeks start on Sunday. Arrow keys walk the days, Page Up and Down the months, with Shift the years."
      >
        <Dates />
      </Section>
    </>
  )
}

function Numbers() {
  const [limit, setLimit] = useState<number | null>(500)
  const [price, setPrice] = useState<number | null>(0.25)
  const [whole, setWhole] = useState<number | null>(null)
  return (
    <Grid>
      <div>
        <NumberField label="Monthly limit" unit="MB" value={limit} onChange={setLimit} min={0} max={2000} hint="From 0 to 2,000." />
        <output aria-label="Limit is" className="text-xs text-fg-3">
          {String(limit)}
        </output>
      </div>
      <NumberField label="Price" unit="USD" value={price} onChange={setPrice} decimals={4} step={0.01} />
      <NumberField label="SIMs" value={whole} onChange={setWhole} decimals={0} placeholder="None yet" />
      <NumberField
        label="Too much"
        unit="MB"
        value={2_400_000}
        onChange={() => undefined}
        error="At most 2,000,000 MB. Choose Unlimited for more."
      />
    </Grid>
  )
}

function Searches() {
  const [search, setSearch] = useState('')
  return (
    <div className="flex items-center gap-3">
      <div className="w-72">
        <SearchField label="Search assets" placeholder="Name, ICCID, IMEI" value={search} onChange={setSearch} hotkey />
      </div>
      <output aria-label="Searched for">{search}</output>
    </div>
  )
}

function Dates() {
  const [day, setDay] = useState('2026-12-01')
  const [none, setNone] = useState('')
  const [at, setAt] = useState('2026-11-21T14:31:48')
  return (
    <Grid>
      <DateField label="Renews on" value={day} onChange={setDay} today={today} />
      <DateField
        label="Ends on"
        value={none}
        onChange={setNone}
        today={today}
        min="2026-11-10"
        max="2026-11-28"
        clearable
        hint="10 to 28 November."
      />
      <DateField label="Began on" value="2026-11-01" onChange={() => undefined} today={today} disabled />
      <DateTimeField label="Runs at" value={at} onChange={setAt} hint="In UTC, to the second." />
      <DateTimeField label="Not before December" value={at} onChange={setAt} min="2026-12-01T00:00:00" max="2026-12-31T23:59:59" />
    </Grid>
  )
}
