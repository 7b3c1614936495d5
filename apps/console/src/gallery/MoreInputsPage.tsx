import { formatBytes } from '@masthead/contract/usage/bytes'
import { useState } from 'react'
import { FileDrop } from '../ui/FileDrop.tsx'
import { KeyValueEditor } from '../ui/KeyValueEditor.tsx'
import { Grid, Section } from './Specimen.tsx'

export function MoreInputsPage() {
  const [files, setFiles] = useState<File[]>([])
  const [images, setImages] = useState<File[]>([new File(['x'.repeat(2_480)], 'stock-november.csv')])
  const [pairs, setPairs] = useState([
    { key: 'LOG_LEVEL', value: 'info' },
    { key: 'MQTT_HOST', value: 'broker.example.test' },
  ])
  const [secrets, setSecrets] = useState([
    { key: 'TOKEN', value: 'not-a-secret' },
    { key: 'TOKEN', value: 'twice' },
  ])
  return (
    <>
      <Section title="File drop" about="Dropped or chosen; what cannot be taken is said in words.">
        <Grid>
          <FileDrop label="Inventory" accept=".csv,text/csv" maxBytes={10_000} size={formatBytes} files={files} onChange={setFiles}>
            A CSV of at most 10 KB
          </FileDrop>
          <FileDrop label="Several" multiple size={formatBytes} files={images} onChange={setImages} hint="Kept until you send them." />
          <FileDrop label="Wrong" size={formatBytes} files={[]} onChange={() => undefined} error="Line 14 has no ICCID." />
          <FileDrop label="Not now" size={formatBytes} files={[]} onChange={() => undefined} disabled />
        </Grid>
      </Section>
      <Section title="Names and values" about="Enter in the last value adds a row; lines of NAME=value pasted into a name become rows.">
        <KeyValueEditor
          label="Environment"
          pairs={pairs}
          onChange={setPairs}
          keyLabel="Variable"
          keyRule={{ pattern: /^[A-Za-z_]\w*$/, words: 'Letters, digits and _, not a digit first' }}
        />
        <KeyValueEditor label="Secrets" pairs={secrets} onChange={setSecrets} secret />
        <KeyValueEditor label="Labels" pairs={[]} onChange={() => undefined} keyLabel="Label" disabled />
      </Section>
    </>
  )
}
