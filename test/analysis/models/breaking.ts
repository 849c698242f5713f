throw new Error('out of luck');
