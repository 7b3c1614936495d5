// What other areas may use of CORE devices that are set up.
export { installLine, regionNames } from './deployment-words.ts'
export { WhatToBring } from './WhatToBring.tsx'
