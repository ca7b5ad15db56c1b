// The command line.
int main() { return 2; }
