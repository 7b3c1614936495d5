import { Copy, Gauge, Power, SlidersHorizontal, Terminal } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Modal, modalBackdrops as backdrops, modalPositions as positions, type ModalProps } from '../ui/Modal.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Popover } from '../ui/Popover.tsx'
import { Select } from '../ui/Select.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextField } from '../ui/TextField.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { Section, Specimen } from './Specimen.tsx'

export function OverlaysPage() {
  return (
    <>
      <Section
        title="Modal"
        about="Escape, the cross and a press beside it close it; not while something is on its way, and not where it must be answered."
      >
        <Modals />
      </Section>
      <Section title="Confirm" about="Says what it touches and what it costs before the button.">
        <Confirms />
      </Section>
      <Section title="Side sheet">
        <Sheets />
      </Section>
      <Section title="Menu" about="Arrow keys, Home, End and letters walk it; Escape and Tab leave it.">
        <Menus />
      </Section>
      <Section title="Popover">
        <Specimen name="beside its button">
          <Popover trigger={<Button icon={SlidersHorizontal}>Columns</Button>} label="Columns" className="w-56 p-3">
            <div className="grid gap-2">
              <Checkbox defaultChecked>Type</Checkbox>
              <Checkbox defaultChecked>Usage</Checkbox>
            </div>
          </Popover>
        </Specimen>
      </Section>
      <Section title="Tooltip" about="After a moment's hover, at once on keyboard focus; Escape hides it.">
        <Specimen name="on anything">
          <Tooltip content="Sat 21 Nov 2026, 2:31:48 PM UTC">
            <button type="button" className="rounded-sm text-fg-2">
              4 min ago
            </button>
          </Tooltip>
          <Tooltip content="At the right" side="right">
            <Button>Right</Button>
          </Tooltip>
          <Tooltip content="Long words about an element are broken into several lines before they are wider than can be read at a glance.">
            <Button>Long</Button>
          </Tooltip>
        </Specimen>
      </Section>
    </>
  )
}

function Modals() {
  const [open, setOpen] = useState<(Partial<ModalProps> & { choice?: true }) | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <Specimen name="positions">
        {positions.map((position) => (
          <Button key={position} onClick={() => setOpen({ position })}>
            {position}
          </Button>
        ))}
      </Specimen>
      <Specimen name="backdrops">
        {backdrops.map((backdrop) => (
          <Button key={backdrop} onClick={() => setOpen({ backdrop })}>
            {backdrop}
          </Button>
        ))}
      </Specimen>
      <Specimen name="dismissal">
        <Button onClick={() => setOpen({ loading: true })}>While loading</Button>
        <Button onClick={() => setOpen({ dismissable: false })}>Must be answered</Button>
        <Button onClick={() => setOpen({ size: 'large' })}>Large</Button>
        <Button onClick={() => setOpen({ choice: true })}>A choice first</Button>
      </Specimen>
      <Modal
        open={open !== null}
        onClose={close}
        title="Activate 3 SIMs"
        {...open}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button color="success" loading={open?.loading ?? false} onClick={close}>
              Activate for $4.00
            </Button>
          </>
        }
      >
        <p className="text-fg-2">They can attach within seconds. One was already charged this month.</p>
        {!open?.choice && <TextField label="Note" placeholder="optional" />}
        <Select label="Network group" options={[{ value: '1', label: '1 GB' }]} value="1" onChange={() => undefined} />
        {open?.choice && <TextField label="Note" placeholder="optional" />}
        <Notice tone="warn">1 of them stays blocked: it is over its data limit.</Notice>
      </Modal>
      {open?.loading && (
        // Only here, so that a test can end what nothing else ends.
        <button type="button" className="sr-only" data-testid="settle" onClick={close}>
          Settle
        </button>
      )}
    </>
  )
}

function Confirms() {
  const [asked, setAsked] = useState<'plain' | 'typed' | 'failed' | null>(null)
  const [done, setDone] = useState('')
  const confirm = () => {
    setDone(String(asked))
    setAsked(null)
  }
  const shared = { onClose: () => setAsked(null), onConfirm: confirm, loading: false }
  return (
    <Specimen name="questions">
      <Button onClick={() => setAsked('plain')}>Plain</Button>
      <Button onClick={() => setAsked('typed')}>Typed</Button>
      <Button onClick={() => setAsked('failed')}>Failed</Button>
      <output aria-label="Confirmed">{done}</output>
      <Confirm {...shared} open={asked === 'plain'} title="Activate the SIM?" confirm="Activate" failure={null}>
        It has service within seconds.
      </Confirm>
      <Confirm
        {...shared}
        open={asked === 'typed'}
        title="Terminate the SIM?"
        confirm="Terminate for good"
        color="danger"
        failure={null}
        typed="reefer-truck-0148"
      >
        It never works again. Its usage stays in your records.
      </Confirm>
      <Confirm
        {...shared}
        open={asked === 'failed'}
        title="Deactivate the SIM?"
        confirm="Deactivate"
        color="danger"
        failure={{ detail: 'The SIM was terminated a moment ago.', request_id: 'req_4f1c2a9be07d4c3f8a61' }}
      >
        It loses service within seconds.
      </Confirm>
    </Specimen>
  )
}

function Sheets() {
  const [open, setOpen] = useState<'right' | 'left' | 'wide' | null>(null)
  return (
    <Specimen name="sides">
      <Button onClick={() => setOpen('right')}>Right</Button>
      <Button onClick={() => setOpen('left')}>Left</Button>
      <Button onClick={() => setOpen('wide')}>Wide</Button>
      <Sheet
        open={open !== null}
        onClose={() => setOpen(null)}
        title="reefer-truck-0148"
        note="Plastic SIM, active since 3 Feb"
        side={open === 'left' ? 'left' : 'right'}
        wide={open === 'wide'}
        footer={<Button onClick={() => setOpen(null)}>Close</Button>}
      >
        <TextField label="Name" defaultValue="reefer-truck-0148" />
        {Array.from({ length: 12 }, (_, at) => (
          <p key={at} className="text-fg-2">
            Session {at + 1}: KPN 204-08, LTE, 39.6 MB down, 5.4 MB up.
          </p>
        ))}
      </Sheet>
    </Specimen>
  )
}

function Menus() {
  const [done, setDone] = useState('')
  const [rows, setRows] = useState('10 rows')
  return (
    <Specimen name="actions and choices">
      <Menu
        trigger={<Button>Actions</Button>}
        label="Actions"
        items={[
          { heading: 'reefer-truck-0148' },
          { label: 'Open terminal', icon: Terminal, onSelect: () => setDone('terminal'), disabled: 'The device is offline' },
          { label: 'Set limit', icon: Gauge, onSelect: () => setDone('limit') },
          { label: 'Copy ICCID', icon: Copy, onSelect: () => setDone('copy') },
          { separator: true },
          { label: 'Deactivate SIM', icon: Power, danger: true, onSelect: () => setDone('deactivate') },
        ]}
      />
      <Menu
        trigger={<Button color="ghost">{rows}</Button>}
        label="Rows on a page"
        items={['10 rows', '25 rows', '50 rows'].map((label) => ({ label, checked: label === rows, onSelect: () => setRows(label) }))}
      />
      <output aria-label="Chosen">{done}</output>
    </Specimen>
  )
}
