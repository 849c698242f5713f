/** Reason why an exploration ended early. */
export type Truncation = 'states' | 'memory' | 'time' | 'interrupted';
